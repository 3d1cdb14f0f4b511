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
