internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// `stage "metadata"`: the keys that travel with a store.
public enum MetadataStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "metadata",
    summary: "Sets, keeps and removes keys of the store's metadata; settles UUID and history.",
    details: """
      Without this stage the app's own keys, the UUID and the history are kept. The keys Core \
      Data needs are always those of the new model, whatever stands here. In a pattern `*` is any \
      text.
      """,
    options: [
      OptionDescription(
        "set", .fields(.anything), default: .table([:]), help: "Keys with their new values."),
      OptionDescription(
        "keep", .oneOrMore(.text), default: .list([]),
        help: "Names or patterns of keys that stay although `remove` names them."),
      OptionDescription(
        "remove", .oneOrMore(.text), default: .list([]),
        help: "Names or patterns of keys that go."),
      OptionDescription(
        "uuid", .choice(["keep", "new"]), default: .text("keep"),
        help: """
          The store's identity. With a new one, saved object URIs and history tokens do not lead \
          to this store any more.
          """),
      OptionDescription(
        "history", .choice(["keep", "drop"]), default: .text("keep"),
        help: "The persistent history: kept and renumbered, or dropped, which ends saved tokens."),
    ],
    consumes: [.stores], touches: [.destination], mayRepeat: true,
    example: #"""
      stage "metadata" {
        remove  = { "com.apple.coredata.ubiquity.*" },
        set     = { ["MyApp.migrated"] = true },
        uuid    = "keep",
        history = "keep",
      }
      """#)
}

extension MetadataStage {
  /// Does nothing by itself: a store's metadata is written when all else of it is there, with the
  /// choices of all stages of this name, so that those below it and above it see the same.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {}

  /// What these stages choose, together; later ones win.
  ///
  /// - Parameters:
  ///   - stages: The stages of a pipeline.
  ///   - record: What the store keeps of the run.
  ///   - isLast: Whether the store is the result and not one on the way, which keeps everything.
  /// - Returns: The choices.
  static func choices(
    of stages: [PipelineStage], record: PropertyList?, isLast: Bool
  ) -> FinishChoices {
    var choices = FinishChoices(runRecord: record)
    for stage in stages where stage.name == description.name && isLast {
      choices.removeMetadata += texts(stage["remove"])
      choices.keepMetadata += texts(stage["keep"])
      for (key, value) in stage["set"]?.table ?? [:] { choices.setMetadata[key] = value.plist }
      choices.newUUID = choices.newUUID || stage["uuid"]?.text == "new"
      if stage["history"]?.text == "drop" { choices.history = .drop }
    }
    return choices
  }

  private static func texts(_ value: OptionValue?) -> [String] {
    value?.list?.compactMap(\.text) ?? []
  }
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
