internal import CoreDataStore
internal import StoreMigration

/// `stage "open"`: the source for reading alone, and an empty destination.
package struct OpenStage: Stage {
  private var wait = StageDeclarations.usualWait
  private var space = Space.check
  private var cloudKit = StageDeclarations.CloudKit.refuse

  private enum Space: String, OptionChoice { case check, skip }

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "open",
    summary: "Opens the source read-only and makes an empty store of the new version.",
    details: """
      Before it writes anything, the run checks locks, permissions, free space and the integrity \
      of the source. From here to the end it reads the source in one snapshot.
      """,
    consumes: [.version], produces: [.stores], touches: [.destination],
    example: #"stage "open" { wait = "10 s", space = "check" }"#)

  package static let options: [StageOption<Self>] = [
    .option(
      "wait", \.wait, help: "How long to wait for another process that has the store open."),
    .option(
      "space", \.space,
      help: "Whether the run compares the free space with what it needs, before the first write."),
    .option(
      "cloudkit", \.cloudKit,
      help: """
        What happens to a store that is mirrored to CloudKit. `refuse`: the run refuses it. \
        `carry`: the run carries the mirror over. `reset`: the run leaves the mirror behind and \
        the app mirrors everything again, so there may be two of each object. `drop` is the old \
        name of `reset`.
        """),
  ]
}

extension OpenStage {
  /// Declares how long a run waits for the store, and what happens to CloudKit's tables.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.wait = wait
    declarations.checksSpace = space == .check
    declarations.cloudKitLine = written.line(of: "cloudkit")
    switch cloudKit {
    case .refuse: break
    case .carry:
      declarations.cloudKit = .carry
      declarations.metadata.carriesMirror = true
    case .reset, .drop:
      declarations.cloudKit = .reset
      declarations.metadata.removeMetadata += MirrorTables.entries
    }
  }

  /// Takes the lock, checks what can be checked, and makes the copy that the run reads.
  package func run(_ context: RunContext) async throws {
    try context.session.open(wait: wait, checksSpace: space == .check)
  }
}
