/// `stage "detect"`: which version of the model the store has.
public enum DetectStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "detect",
    summary: "Finds out which version of the model the store has.",
    details: """
      The version hashes in the store's metadata are held against those of the models. A store \
      that has the target version already ends the run here, with status 0; one of a version that \
      the models do not know, or that `accept` leaves out, with status 3.
      """,
    options: [
      OptionDescription(
        "script", .path(.script),
        help: """
          A Lua file that returns the version's name, for apps that keep it in the metadata or in \
          rows of their own. It finds `metadata`, a table; `versions`, a list of names; and \
          `count "Entity where condition"`.
          """)
    ],
    produces: [.version],
    example: #"stage "detect" {}"#)
}

extension DetectStage {
  /// Ends the run when the plan has no steps: the store is of the target version already.
  ///
  /// The version itself was told when the plan was made, which nothing can be done without.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    if context.plan.isCurrent { throw RunEnd(outcome: .upToDate) }
  }
}
