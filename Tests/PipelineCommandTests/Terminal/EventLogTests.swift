import Foundation
import StorePipeline
import TestSupport
import Testing

@testable import pipeline

@Suite("Event log", .temporaryFolder)
struct EventLogTests {
  @Test("the file of --events has one JSON object a line, after what was there") func events()
    throws
  {
    let file = TemporaryFolder.url.appending(path: "events")
    try Data("before\n".utf8).write(to: file)
    let console = Self.console(Recorder())
    let reporter = ProgressReporter(
      console: console, log: try EventLog(path: file.path, console: console))
    for event in ProgressReporterTests.run.prefix(3) { reporter.report(event) }
    let lines = try String(contentsOf: file, encoding: .utf8)
    #expect(
      lines == "before\n" + ProgressReporterTests.run.prefix(3).map { $0.json + "\n" }.joined())
  }

  @Test("a file of --events comes with its first event: a command that says nothing leaves none")
  func late() throws {
    let file = TemporaryFolder.url.appending(path: "events")
    let console = Self.console(Recorder())
    let log = try EventLog(path: file.path, console: console)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    let event = try #require(ProgressReporterTests.run.first)
    log.append(event)
    #expect(try String(contentsOf: file, encoding: .utf8) == "\(event.json)\n")
  }

  @Test("an event that comes behind a line that was cut short begins a line of its own")
  func cut() throws {
    let file = TemporaryFolder.url.appending(path: "events")
    let event = try #require(ProgressReporterTests.run.first)
    for (before, after) in [("{\"event\":\"pro", "{\"event\":\"pro\n"), ("a\n", "a\n"), ("", "")] {
      try Data(before.utf8).write(to: file)
      try EventLog(path: file.path, console: Self.console(Recorder())).append(event)
      #expect(try String(contentsOf: file, encoding: .utf8) == after + event.json + "\n")
    }
  }

  @Test("a file of --events that cannot be opened ends the command before it begins")
  func refused() async {
    let said = await Program.probes.say(["every", "--events", "/no/such/folder/e", "a", "b"])
    #expect(said.status == .misuse && said.output == "")
    #expect(
      said.errors.hasPrefix(
        "pipeline: cannot write to the path of --events: /no/such/folder/e\n"
          + "There is no folder /no/such/folder.\nMake the folder, or"))
  }

  @Test(
    "a file of --events that fills up is reported once, and the run continues",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func full() throws {
    let recorder = Recorder()
    let log = try EventLog(path: "/dev/full", console: Self.console(recorder))
    for event in ProgressReporterTests.run { log.append(event) }
    #expect(recorder.text.components(separatedBy: "No space left on device").count == 2)
  }

  private static func console(_ recorder: Recorder) -> Console {
    Console(output: recorder.stream(), errors: recorder.stream(), environment: [:])
  }
}
