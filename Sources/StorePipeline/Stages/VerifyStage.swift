internal import CoreDataStore

/// `stage "verify"`: both stores again, row by row.
public enum VerifyStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "verify",
    summary: "Reads both stores again and compares every row through its transform.",
    details: """
      Copied rows are compared by type and bits, scripted ones by running the script again, blobs \
      by digest, links by association. Every difference is named and ends the run with status 1. \
      A script that does not repeat itself is found here.
      """,
    options: [
      OptionDescription(
        "rows", .either([.choice(["all"]), .atLeast(1)]), default: .text("all"),
        help: "All rows, or that many of each entity, spread evenly.")
    ],
    consumes: [.objects],
    example: #"stage "verify" { rows = "all" }"#)
}

extension VerifyStage {
  /// Compares the new store with what it was made of; ends the run when they differ.
  ///
  /// The stores between the versions of a chain were compared when each was whole.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    _ = try context.work.finishedStore()
    try context.work.verifyStep(context.plan.steps.count - 1, sample: sample(stage))
  }

  /// Whether a stage of a pipeline is this one.
  static func isMeant(_ stage: PipelineStage) -> Bool { stage.name == description.name }

  /// How many objects of each entity it wants to be compared; nil for all.
  static func sample(_ stage: PipelineStage) -> Int? { stage["rows"]?.integer.map(Int.init) }
}
