internal import CoreDataStore
internal import StoreReplacement

/// `stage "swap"`: the new store takes the place of the old one.
package struct SwapStage: Stage {
  private var backup = BackupsKept.count(3)
  private var method = SwapChoices.Method.replace
  private var journal = SwapChoices.Journal.same

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "swap",
    summary: "Puts the new store in the place of the old one, in one transaction.",
    details: """
      Whatever ends the run, the store is the complete old one until the commit and the complete \
      new one after it. If another process has the store open, or the store has changed since it \
      was copied, the run replaces nothing and ends with status 5. Only `report` and `hook` may \
      come after this stage.
      """,
    consumes: [.objects], produces: [.replacement], touches: [.store, .files],
    example: #"stage "swap" { backup = { keep = 3 }, method = "replace", journal = "same" }"#)

  package static let options: [StageOption<Self>] = [
    .option(
      "backup", \.backup,
      help: "Which backups of the old store stay; with `false` there is none, and no way back."),
    .option(
      "method", \.method,
      help: """
        `replace` writes into the old file under its lock. `rename` is for stores that are too \
        large for the journal that `replace` needs, and only where no other process has the store \
        open.
        """),
    .option(
      "journal", \.journal,
      help: "The journal mode of the result: the source's, or another."),
  ]
}

extension SwapStage {
  /// Declares how the exchange is made, for whatever exchanges the store besides: a retry, a run
  /// that was killed here.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.swap = choices
  }

  /// Puts the new store in the place of the old one, or where the run's options say.
  package func run(_ context: RunContext) async throws {
    try context.session.replace(choices)
  }

  private var choices: SwapChoices {
    SwapChoices(backupKeep: backup, method: method, journal: journal)
  }
}

extension SwapChoices.Method: OptionChoice {}
extension SwapChoices.Journal: OptionChoice {}

extension BackupsKept: OptionConvertible {
  /// `false`, or a table that says how many or for how long.
  public static var optionType: OptionType {
    .either([
      .off,
      .table(
        OptionTable(
          [
            OptionDescription(
              "keep", .either([.atLeast(1), .duration]),
              help: "How many backups stay, or for how long: `3` or `\"14 days\"`."),
            OptionDescription(
              "days", .atLeast(1), help: "The same as `keep` with that many days."),
          ], alternatives: ["keep", "days"])),
    ])
  }

  /// What an option says.
  public init?(_ value: OptionValue) {
    if value.boolean == false {
      self = .none
    } else if let days = value["days"]?.integer {
      self = .days(Int(days))
    } else if let time = value["keep"]?.duration {
      self = .days(BackupKeep.days(time))
    } else if let count = value["keep"]?.integer {
      self = .count(Int(count))
    } else {
      return nil
    }
  }

  /// What an option would say.
  public var optionValue: OptionValue? {
    switch self {
    case .none: .boolean(false)
    case .days(let days): .table(["days": .integer(Int64(days))])
    case .count(let count): .table(["keep": .integer(Int64(count))])
    }
  }
}
