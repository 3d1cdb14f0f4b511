internal import CoreDataStore
internal import StoreReplacement

/// `stage "swap"`: the new store takes the place of the old one.
public enum SwapStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "swap",
    summary: "Puts the new store in the place of the old one, in one transaction.",
    details: """
      Until its commit the old store is whole, after it the new one, whatever ends the run. A \
      store that another process has, or that changed since it was copied, is not replaced: \
      status 5. Below this stage only `report` and `hook` may stand.
      """,
    options: [
      OptionDescription(
        "backup", .either([.off, .table(backup)]), default: .table(["keep": .integer(3)]),
        help: "Which backups of the old store stay; `false` makes none, and no way back."),
      OptionDescription(
        "method", .choice(["replace", "rename"]), default: .text("replace"),
        help: """
          `replace` writes into the old file under its lock. `rename` is for stores too large for \
          the journal that takes, and only where no other process has the store open.
          """),
      OptionDescription(
        "journal", .choice(["same", "wal", "delete"]), default: .text("same"),
        help: "The journal mode of the result: the source's, or another."),
    ],
    consumes: [.objects], produces: [.replacement], touches: [.store, .files],
    example: #"stage "swap" { backup = { keep = 3 }, method = "replace", journal = "same" }"#)

  private static let backup = OptionTable(
    [
      OptionDescription(
        "keep", .either([.atLeast(1), .duration]),
        help: "How many backups stay, or for how long: `3` or `\"14 days\"`."),
      OptionDescription(
        "days", .atLeast(1), help: "The same as `keep` with that many days."),
    ], alternatives: ["keep", "days"])
}

extension SwapStage {
  /// Puts the new store in the place of the old one, or where the run's options say.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let work = context.work
    try work.checkUniqueness()
    try work.countObjects()
    try work.examine()
    if let output = context.options.output {
      try work.opened().write(to: output, choices(of: stage))
      work.end(.written(output))
    } else {
      try work.swap(choices(of: stage))
      work.end(.swapped)
    }
  }

  /// What a pipeline's stage of this name chooses.
  static func choices(of pipeline: Pipeline) -> SwapChoices {
    let stage = pipeline.stages.map(\.stage).last { $0.name == description.name }
    return stage.map(choices) ?? SwapChoices()
  }

  private static func choices(of stage: PipelineStage) -> SwapChoices {
    SwapChoices(
      backupKeep: keep(stage["backup"]),
      method: stage["method"]?.text.flatMap(SwapChoices.Method.init) ?? .replace,
      journal: stage["journal"]?.text.flatMap(SwapChoices.Journal.init) ?? .same)
  }

  private static func keep(_ option: OptionValue?) -> BackupsKept {
    if option?.boolean == false { return .none }
    if let days = option?["days"]?.integer { return .days(Int(days)) }
    if let time = option?["keep"]?.duration { return .days(BackupKeep.days(time)) }
    return .count(Int(option?["keep"]?.integer ?? 3))
  }
}
