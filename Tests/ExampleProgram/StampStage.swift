import StorePipeline

/// Counts the notes with a title, and says so; `stage "stamp" { ink = "blue" }`.
enum StampStage: Stage {
  static let description = StageDescription(
    name: "stamp", summary: "Says how many notes have a title.", details: "",
    options: [
      OptionDescription(
        "ink", .choice(["red", "blue"]), default: .text("red"), help: "The colour it says it in.")
    ],
    consumes: [.objects], example: #"stage "stamp" { ink = "blue" }"#)

  static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let count = try context.count("count(Note where title != nil)")
    try context.checkCancellation()
    guard count > 0 else {
      throw RunFailure(
        .refused, what: "cannot take the new store", subject: "Note.title",
        why: "No note has a title.", remedy: "Give one to those that need it.")
    }
    context.warn("\(count) titles, stamped in \(stage["ink"]?.text ?? "red")")
  }
}
