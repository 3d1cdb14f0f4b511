import Foundation
import StorePipeline
import Testing

@testable import pipeline

@Suite("What run and upgrade have in common")
struct RunChoicesTests {
  @Test("both take the same options")
  func options() throws {
    let words = [
      "--accept-loss", "A.b", "--accept-loss=C.*", "--output=/o", "--force", "--values=full",
    ]
    let run = try RunCommand.parse(words + ["/f.pipeline", "/s"]).command.choices
    let upgrade = try UpgradeCommand.parse(words + ["--models", "/m", "/s"]).command.choices
    for choices in [run, upgrade] {
      #expect(choices.losses == ["A.b", "C.*"] && choices.output == "/o")
      #expect(choices.force && choices.values == .full && !choices.restart)
    }
  }

  static let conflicts: [(words: [String], message: String)] = [
    (["--dry-run", "--output=/o"], "--keep keeps its result"),
    (["--sample=3", "--until=copy"], "takes no --until"),
    (["--dry-run", "--restart"], "takes no --restart"),
    (["--keep=/k"], "--output is the same of a run"),
    (["--sample=0"], "from 1 on"), (["--limit=-1"], "not -1"),
  ]

  @Test("what has no meaning together is refused", arguments: conflicts)
  func conflict(words: [String], message: String) throws {
    let choices = try RunCommand.parse(words + ["/f.pipeline", "/s"]).command.choices
    let error = #expect(throws: UsageError.self) { try choices.check() }
    #expect(error?.message.contains(message) == true)
  }

  @Test("a resumed run keeps what decides its result, and is not stopped or started over again")
  func again() throws {
    var choices = RunChoices()
    choices.losses = ["A.b"]
    choices.output = "/o"
    choices.force = true
    (choices.until, choices.report, choices.restart) = ("copy", "/r.md", true)
    let words = CommandRecord.words("run", [.path("/f")] + choices.words)
    #expect(words == ["run", "--accept-loss=A.b", "--output=/o", "--force", "--", "/f"])
  }
}
