import Testing

@testable import pipeline

@Suite("Console")
struct ConsoleTests {
  @Test("what is waiting for stdout comes before what is said on stderr") func order() {
    let both = Recorder()
    let console = Console(
      output: both.stream(capacity: 1000), errors: both.stream(), environment: [:])
    console.result("one")
    console.note("two")
    console.result("three")
    #expect(both.text == "one\ntwo\n")
    #expect(throws: Never.self) { try console.finish() }
    #expect(both.text == "one\ntwo\nthree\n")
  }

  @Test("names in notes, warnings and errors cannot drive the terminal") func escapes() {
    let errors = Recorder()
    let console = Console(
      output: Recorder().stream(), errors: errors.stream(), environment: [:])
    console.note("\u{1B}[2J")
    console.warn("\u{1B}[2J")
    console.report([Problem("\u{1B}[2J", at: "\u{1B}c", hint: "\u{1B}c")])
    #expect(!errors.text.contains("\u{1B}"))
    #expect(errors.text.split(separator: "\n").count == 4)
  }

  @Test("long notes are broken on a terminal, at words, and are one line for a program")
  func breaks() {
    func said(isTerminal: Bool) -> [String] {
      let errors = Recorder()
      let console = Console(
        output: Recorder().stream(), errors: errors.stream(isTerminal: isTerminal),
        environment: ["COLUMNS": "40", "NO_COLOR": "1"])
      console.warn("the models say nothing of what happens to it")
      console.report([Problem("it is in the way of the new store", at: "a:1", hint: "Move it.")])
      return errors.text.split(separator: "\n").map(String.init)
    }
    #expect(
      said(isTerminal: true) == [
        "pipeline: warning: the models say", "  nothing of what happens to it",
        "a:1: it is in the way of the new store", "Move it.",
      ])
    #expect(said(isTerminal: false).count == 3)
  }

  @Test("what went wrong is red where there is colour") func colour() {
    let errors = Recorder()
    let console = Console(
      output: Recorder().stream(), errors: errors.stream(isTerminal: true), environment: [:])
    console.report([Problem("no")])
    #expect(errors.text == "\u{1B}[31mpipeline:\u{1B}[0m no\n")
  }
}
