internal import CoreDataStore
internal import StoreMigration

/// `stage "copy"`: every entity that no script claims.
public enum CopyStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "copy",
    summary: "Copies every entity that no script claims.",
    details: """
      What becomes what is inferred by the rules of Core Data's lightweight migration; the rules \
      in the list say what cannot be inferred. The work is SQL in chunks, each of which commits \
      together with its progress, so that a killed run goes on behind the last one. Objects keep \
      their keys wherever their entity has a table of its own in both versions.
      """,
    options: [chunk, start, losses],
    rules: CopyRules.all,
    consumes: [.stores], produces: [.objects], touches: [.destination, .files], place: .inStep,
    example: #"""
      stage "copy" {
        chunk = { rows = 10000, bytes = "8 MiB", time = "500 ms" },
        start = "auto",
        rename { entity = "Bookmark", to = "Link", attributes = { href = "url" } },
        drop   { "Link.legacyCode", "Visit" },
        accept_loss = { "Photo.exif" },
      }
      """#)

  private static let chunk = OptionDescription(
    "chunk",
    .table(
      OptionTable(
        [
          OptionDescription(
            "rows", .integer(1...1_000_000), default: .integer(10_000), help: "Rows at most."),
          OptionDescription(
            "bytes", .size, default: .size(8 << 20), help: "Bytes of their cells at most."),
          OptionDescription(
            "time", .duration, default: .duration(.milliseconds(500)),
            help: "A chunk that takes longer makes the next ones smaller."),
        ], shorthand: "rows")),
    default: .table([
      "rows": .integer(10_000), "bytes": .size(8 << 20), "time": .duration(.milliseconds(500)),
    ]),
    help: "How much is written in one transaction; a number alone means rows.")

  private static let start = OptionDescription(
    "start", .choice(["auto", "clone", "empty"]), default: .text("auto"),
    help: """
      How the destination begins: as a clone of the source's pages, where tables that stay as they \
      are need no work, or empty. By itself it is a clone where a third of the store stays; the \
      plan says which, and why. The result is the same.
      """)

  private static let losses = OptionDescription(
    "accept_loss", .oneOrMore(.name(.loss)), default: .list([]),
    help: "Data that the new model has no place for and that may go.")
}

extension CopyStage {
  /// Copies every entity that no script claims, in chunks.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let step = try context.work.step()
    try step.copyUnclaimed(ChunkLimits(stage["chunk"]), context.work.log)
  }
}

extension StepWork {
  /// Copies every entity that no script claims, in chunks.
  func copyUnclaimed(_ limits: ChunkLimits, _ log: RunLog) throws {
    for object in plan.mapping.objects where !object.isAbstract && !plan.claims(object.source) {
      try copy(object, limits, log)
    }
  }
}

extension PlannedStep {
  /// Whether a script is given an entity's objects.
  func claims(_ entity: String) -> Bool {
    scripts.contains { $0.entity == entity && $0.outline.needsLua }
  }
}

extension ChunkLimits {
  /// The limits that the option `chunk` says; what it leaves out is as usual.
  init(_ option: OptionValue?) {
    self.init()
    if let rows = option?["rows"]?.integer { self.rows = Int(rows) }
    if let bytes = option?["bytes"]?.bytes { self.bytes = Int(bytes) }
    if let time = option?["time"]?.duration { self.time = time }
  }
}
