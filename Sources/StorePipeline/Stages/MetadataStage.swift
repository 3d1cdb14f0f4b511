internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// `stage "metadata"`: the keys that travel with a store.
package struct MetadataStage: Stage {
  private var set: [String: OptionValue] = [:]
  private var keep: [String] = []
  private var remove: [String] = []
  private var uuid = Identity.keep
  private var history = History.keep

  private enum Identity: String, OptionChoice { case keep, new }
  private enum History: String, OptionChoice { case keep, truncate, drop }

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "metadata",
    summary: "Says what happens to the store's metadata, its UUID and its history.",
    details: """
      Without this stage, the run keeps the app's own keys, the UUID and the history. The keys \
      that Core Data needs are always those of the new model, whatever this stage says. In a \
      pattern, `*` is any text.
      """,
    consumes: [.stores], touches: [.destination], mayRepeat: true,
    example: #"""
      stage "metadata" {
        remove  = { "com.apple.coredata.ubiquity.*" },
        set     = { ["MyApp.migrated"] = true },
        uuid    = "keep",
        history = "keep",
      }
      """#)

  package static let options: [StageOption<Self>] = [
    .option("set", \.set, help: "Keys with their new values."),
    .option(
      "keep", \.keep, help: "Names or patterns of keys that stay even if `remove` names them."),
    .option("remove", \.remove, help: "Names or patterns of keys to remove."),
    .option(
      "uuid", \.uuid,
      help: """
        The store's identity. With a new one, saved object URIs and history tokens do not lead \
        to this store any more.
        """),
    .option(
      "history", \.history,
      help: """
        The persistent history: kept, without the changes of objects whose entity the new version \
        does not have; truncated, as Core Data does it, up to the last of these changes; or \
        dropped. Saved tokens for what is gone stop working.
        """),
  ]
}

extension MetadataStage {
  /// Declares the choices: a store's metadata is written when all else of it is there, by those of
  /// all stages of this name together, of which later ones win.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.metadata.removeMetadata += remove
    declarations.metadata.keepMetadata += keep
    for (key, value) in set { declarations.metadata.setMetadata[key] = value.plist }
    if uuid == .new { declarations.metadata.newUUID = true }
    switch history {
    case .keep: break
    case .truncate: declarations.metadata.history = .truncate
    case .drop: declarations.metadata.history = .drop
    }
  }

  /// Does nothing at its turn: what it chooses is done when the store is made whole.
  package func run(_ context: RunContext) async throws {}
}

extension OptionValue {
  /// The value as a store's metadata has it; nil for what has no such form.
  fileprivate var plist: PropertyList? {
    switch self {
    case .boolean(let value): .bool(value)
    case .integer(let value), .size(let value): .integer(value)
    case .number(let value): .real(value)
    case .text(let text): .string(text)
    case .duration(let duration): .real(duration.seconds)
    case .list(let values): .array(values.compactMap(\.plist))
    case .table(let values): .dictionary(values.compactMapValues(\.plist))
    case .from, .convert: nil
    }
  }
}
