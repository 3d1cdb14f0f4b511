internal import CoreDataStore

/// `stage "verify"`: both stores again, row by row.
package struct VerifyStage: Stage {
  private var rows = Rows.all

  private enum Rows: OptionConvertible {
    case all
    case sample(Int)

    static let optionType = OptionType.either([.choice(["all"]), .atLeast(1)])

    init(_ value: OptionValue) { self = Int(value).map(Rows.sample) ?? .all }

    var optionValue: OptionValue? {
      switch self {
      case .all: .text("all")
      case .sample(let count): .integer(Int64(count))
      }
    }
  }

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "verify",
    summary: "Reads both stores again and compares every row through its transform.",
    details: """
      Copied rows are compared by type and bits, scripted ones by running the script again, blobs \
      by digest, links by association. Every difference is named and ends the run with status 1. \
      A script that gives other results when it runs again is found here.
      """,
    consumes: [.objects],
    example: #"stage "verify" { rows = "all" }"#)

  package static let options: [StageOption<Self>] = [
    .option(
      "rows", \.rows, help: "All rows, or that many of each entity, spread evenly.")
  ]
}

extension VerifyStage {
  /// Declares the comparison: a store on the way of a chain is compared when it is whole, and one
  /// whose objects stages change before they do.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.verification = StageDeclarations.Verification(
      stage: written.name, sample: sample)
  }

  /// Compares the new store with what it was made from; ends the run when they differ.
  ///
  /// The stores between the versions of a chain were compared when each was whole.
  package func run(_ context: RunContext) async throws {
    _ = try context.session.finishedStore()
    try context.session.verify(context.plan.steps.count - 1, sample: sample)
  }

  private var sample: Int? {
    guard case .sample(let count) = rows else { return nil }
    return count
  }
}
