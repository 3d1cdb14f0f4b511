import OperatingSystem
import Testing

@testable import pipeline

@Suite("Invocation")
struct InvocationTests {
  @Test("a mistake in the words is reported for the command they were for") func mistake() throws {
    let topic = try Program.probes.topic(["every"])
    let misuse = Misuse(words: "probe every", error: UsageError("missing TARGET"))
    #expect(throws: misuse) { try EveryKind.read(["a"], at: topic) }
  }

  @Test("a request for help is answered, and nothing is run") func help() async {
    let said = await Program.probes.say(["refuse", "busy", "--help"])
    #expect(said.status == .done && said.errors == "")
    #expect(said.output.hasPrefix("Fail in some way.\n"))
  }

  @Test("a command that replaced a store keeps its status when its results are lost")
  func outlived() async {
    let errors = Recorder()
    let full = TextStream(isTerminal: false) { _ in throw SystemError("write", 28) }
    let console = Console(output: full, errors: errors.stream(), environment: [:])
    let program = Program(
      name: "probe", summary: "", sections: [Program.Section("Try", [.command(Replace.self)])])
    #expect(await program.run(["replace"], console) == .done)
    #expect(errors.text.hasPrefix("pipeline: warning: cannot write the results: No space"))
  }

  @Test("a command says how many runs it does at a time before it is run") func atOnce() throws {
    func count(_ words: String...) throws -> Int {
      let (topic, words) = (try Program.pipeline.topic(["run"]), words)
      return try RunCommand.read(words, at: topic).worksAtOnce
    }
    #expect(try count("a.pipeline", "a.sqlite") == 1)
    #expect(try count("a.pipeline", "a.sqlite", "b.sqlite", "--jobs", "3") == 3)
  }
}
