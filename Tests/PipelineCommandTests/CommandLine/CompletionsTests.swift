import TestSupport
import Testing

@testable import pipeline

@Suite("Completions", .temporaryFolder)
struct CompletionsTests {
  @Test(
    "the shell accepts the script",
    arguments: Shell.allCases.filter { Tool.isThere($0.rawValue) }, [Program.pipeline, .probes])
  func syntax(shell: Shell, program: Program) throws {
    try ShellSession.write(shell.script(for: program))
    let outcome = try Tool.shell("\(shell.rawValue) -n script")
    #expect(outcome == Tool.Outcome(output: "", errors: "", status: 0))
  }

  @Test("a command with others behind it is one place, with its arguments and with these")
  func ownCommands() {
    let places = CompletionPlace.all(of: .pipeline).filter { $0.path == ["sample"] }
    #expect(places.map { $0.commands.map(\.name) } == [["from"]])
    #expect(places.first?.options.contains { $0.name == "size" } == true)
  }

  @Test("a shell that is not installed is skipped aloud", arguments: Shell.allCases)
  func installed(shell: Shell) throws {
    guard !Tool.isThere(shell.rawValue) else { return }
    try Test.cancel("\(shell.rawValue) is not installed")
  }
}
