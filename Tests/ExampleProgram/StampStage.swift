import CoreDataStore
import StorePipeline

/// Counts the notes with a title, and says so; `stage "stamp" { ink = "blue" }`.
struct StampStage: Stage {
  private var ink = Ink.red

  private enum Ink: String, OptionChoice { case red, blue }

  static let description = StageDescription(
    name: "stamp", summary: "Says how many notes have a title.", details: "",
    consumes: [.objects], example: #"stage "stamp" { ink = "blue" }"#)

  static let options: [StageOption<Self>] = [
    .option("ink", \.ink, help: "The colour it says it in.")
  ]

  func run(_ context: RunContext) async throws {
    let count = try context.count("count(Note where title != nil)")
    try context.checkCancellation()
    guard count > 0 else {
      throw Failure(
        .no, what: "cannot take the new store", subject: "Note.title",
        why: "No note has a title.", remedy: "Give one to those that need it.")
    }
    context.warn("\(count) titles, stamped in \(ink.rawValue)")
  }
}
