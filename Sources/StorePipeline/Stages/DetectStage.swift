/// `stage "detect"`: which version of the model the store has.
package struct DetectStage: Stage {
  private var script: String?

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "detect",
    summary: "Finds out which version of the model the store has.",
    details: """
      Compares the version hashes in the store's metadata with those of the models. If the store \
      already has the target version, the run ends here with status 0. If the models do not know \
      its version, or `accept` leaves it out, the run ends with status 3.
      """,
    produces: [.version],
    example: #"stage "detect" {}"#)

  package static let options: [StageOption<Self>] = [
    .option(
      "script", \.script, .path(.script),
      help: """
        A Lua file that returns the version's name, for apps that keep it in the metadata or in \
        rows of their own. It can use `metadata`, a table; `versions`, a list of names; and \
        `count "Entity where condition"`.
        """)
  ]
}

extension DetectStage {
  /// Declares the script, and that the run may end here.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.endsWhenCurrent = true
    declarations.versionScript = script.map {
      StageDeclarations.Script(path: $0, line: written.line(of: "script"))
    }
  }

  /// Ends the run when the plan has no steps: the store is of the target version already.
  ///
  /// The version itself was found when the plan was made, which nothing can be done without.
  package func run(_ context: RunContext) async throws {
    if context.plan.isCurrent { throw RunEnd(outcome: .upToDate) }
  }
}
