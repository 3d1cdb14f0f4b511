import OperatingSystem
import StorePipeline
import Testing

@testable import pipeline

@Suite("Endings")
struct EndingsTests {
  @Test(
    "an error says what happened and sets the status",
    arguments: [
      (Refuse.Way.no, Status.no, ""),
      (.busy, .busy, "pipeline: cannot open a.sqlite: it is locked\nTry again.\n"),
      (
        .several, .misuse,
        """
        a.pipeline:3: unknown stage copi; did you mean copy?

        a.pipeline:9: cannot find b.lua
        Check the path.

        """
      ),
      (.unknown, .refused, "pipeline: the work could not be done: Unknown()\n"),
      (.cancelled, .interrupted, "pipeline: interrupted\n"),
    ])
  func errors(way: Refuse.Way, status: Status, text: String) async {
    let said = await Program.probes.say(["refuse", way.rawValue])
    #expect(said == Said(errors: text, status: status))
  }

  @Test("quiet silences notes and not errors") func quiet() async {
    #expect(await Program.probes.say(["every", "a", "b"]).errors == "a note\n")
    #expect(await Program.probes.say(["every", "-q", "a", "b"]).errors == "")
    #expect(await Program.probes.say(["refuse", "-q", "busy"]).errors != "")
  }

  @Test("results that cannot be written are an error") func fullDisk() async {
    let errors = Recorder()
    let full = TextStream(isTerminal: false) { _ in throw SystemError("write", 28) }
    let console = Console(output: full, errors: errors.stream(), environment: [:])
    #expect(await Program.probes.run(["pair", "diff", "a"], console) == .refused)
    #expect(errors.text == "pipeline: cannot write the results: No space left on device\n")
  }

  @Test("a run that was told to end has the status for it") func cancelled() async {
    let cancellation = Cancellation()
    cancellation.cancel(.terminated)
    let said = await Program.probes.say(["wait"], cancellation: cancellation)
    #expect(said == Said(errors: "pipeline: interrupted\n", status: .terminated))
  }

  @Test("results whose reader has gone are left out quietly") func noReader() async {
    let errors = Recorder()
    let pipe = TextStream(isTerminal: false) { _ in throw SystemError("write", 32) }
    let console = Console(output: pipe, errors: errors.stream(), environment: [:])
    #expect(await Program.probes.run(["pair", "diff", "a"], console) == .unread)
    #expect(errors.text == "")
  }

  @Test(
    "what replaces a store says how it is left, and the line that resumes it",
    arguments: [
      ([], "\nThe store is unchanged. To resume:\nprobe every"),
      (
        ["--restart", "a b", "--", "--restart"],
        "\nThe store is unchanged. To resume:\nprobe every 'a b' -- --restart"
      ),
      (["--dry-run"], "\nThe store is unchanged."),
      (["--sample=3"], "\nThe store is unchanged."),
    ])
  func resumed(words: [String], hint: String) throws {
    let topic = try Program.probes.top.step(into: "every")
    let interruption = topic.interruption(of: words, stores: "The store is unchanged.")
    let text = Problem("interrupted", hint: interruption.hint).paragraph(Style(isOn: false))
    #expect(text == "pipeline: interrupted\(hint)")
  }

  @Test("stores that are restored already are not named in the line that resumes it")
  func restored() throws {
    let topic = try Program.probes.top.step(into: "every")
    let interruption = topic.interruption(
      of: ["both", "A", "B"], stores: "1 of 2 stores is restored.", restored: ["A"])
    #expect(interruption.line == "probe every both B")
  }
}
