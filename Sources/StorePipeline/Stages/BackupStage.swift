internal import CoreDataStore
internal import StoreReplacement

/// `stage "backup"`: one more copy of the old store.
public enum BackupStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "backup",
    summary: "Makes one more backup of the old store, at a place of your own.",
    details: """
      A consistent copy with journal and external data, verified by opening a copy of it; \
      `pipeline restore` takes it. A store that has changed since the run read it ends the run \
      with status 5. `swap` makes its own backup whether or not this stage is there.
      """,
    options: [
      OptionDescription(
        "to", .path(.new), isRequired: true, help: "The folder to make; it must not be there yet.")
    ],
    touches: [.files], mayRepeat: true,
    example: #"stage "backup" { to = "backups/before-4" }"#)
}

extension BackupStage {
  /// Makes the backup, and verifies it.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let place = context.plan.pipeline.resolve(stage["to"]?.text ?? "backup")
    let work = context.work
    work.isBackedUp = true
    // A run that is resumed finds the one that it has made, one that starts over that of the first
    // time; both are of the store as it was planned for.
    if let made = try? BackupSet.read(place).parts, made.count == 1,
      try work.isPlanned(made[0], isNew: false),
      (try? made[0].verify()) != nil
    {
      return
    }
    _ = try BackupSet.make(
      of: [StoreFiles(context.store)], at: place, run: context.run, wait: work.usualWait,
      accept: { made in
        guard try made.allSatisfy({ try work.isPlanned($0, isNew: true) }) else {
          throw work.planning.changed("No backup was made.")
        }
      })
  }
}
