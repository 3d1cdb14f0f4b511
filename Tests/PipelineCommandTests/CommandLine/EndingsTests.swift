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

  @Test("a run that was asked to end has the status for it") func cancelled() async {
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

  @Test("where the words do not resume it, the commands that do have a line each")
  func commands() throws {
    let topic = try Program.probes.top.step(into: "every")
    let interruption = topic.interruption(
      of: ["both", "A", "B", "C"], stores: "1 of 3 stores is restored.",
      commands: ["B", "C"].map { ["every", "--work", "w/\($0)", "both", $0] })
    #expect(
      interruption.line
        == "pipeline every --work w/B both B\npipeline every --work w/C both C")
  }

  @Test(
    "stores that standard input named are in the line, which is no part of a list any more",
    arguments: [
      (["--stores-from", "-", "x"], "--jobs 1 x -- 'a b' c"),
      (["--stores-from=/dev/stdin", "x"], "--jobs 1 x -- 'a b' c"),
      (["-j", "2", "x", "c", "--stores-from", "-"], "-j 2 x c -- 'a b'"),
      (["x", "--stores-from", "/dev/fd/63", "--shard", "1/2"], "--jobs 1 x -- 'a b' c"),
      (["x", "--shard=1/2", "--stores-from", "-", "--", "c"], "--jobs 1 x -- c 'a b'"),
    ])
  func listed(words: [String], rest: String) throws {
    let topic = try Program.probes.top.step(into: "every")
    let interruption = topic.interruption(of: words, stores: "", listed: ["a b", "c"])
    #expect(interruption.line == "probe every \(rest)")
  }
}
