internal import CoreDataStore
internal import StoreReplacement

/// `stage "backup"`: one more copy of the old store.
package struct BackupStage: Stage {
  private var path = ""

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "backup",
    summary: "Makes one more backup of the old store, at a place of your own.",
    details: """
      Makes a consistent copy with journal and external data, and verifies it by opening a copy \
      of it. `pipeline restore` can restore it. If the store has changed since the run read it, \
      the run ends with status 5. `swap` makes its own backup whether or not this stage is there.
      """,
    touches: [.files], mayRepeat: true,
    example: #"stage "backup" { to = "backups/before-4" }"#)

  package static let options: [StageOption<Self>] = [
    .required(
      "to", \.path, .path(.new), help: "The folder to make; it must not be there yet.")
  ]
}

extension BackupStage {
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.write(path, isFolder: true, in: written)
  }

  /// Makes the backup, and verifies it.
  package func run(_ context: RunContext) async throws {
    let place = context.plan.pipeline.resolve(path)
    let session = context.session
    session.noteBackup()
    // A run that is resumed finds the one that it has made, one that starts over that of the first
    // time; both are of the store as it was planned for.
    if let made = try? BackupSet.read(place).parts, made.count == 1,
      try session.isPlanned(made[0], isNew: false),
      (try? made[0].verify()) != nil
    {
      return
    }
    _ = try BackupSet.make(
      of: [StoreFiles(context.store)], at: place, run: context.run,
      wait: context.plan.declarations.wait,
      accept: { made in
        guard try made.allSatisfy({ try session.isPlanned($0, isNew: true) }) else {
          throw session.basis.planning(context.plan).changed("No backup was made.")
        }
      })
  }
}
