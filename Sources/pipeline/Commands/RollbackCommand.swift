import StorePipeline

/// `pipeline rollback`: undoes the last run.
struct RollbackCommand: Command {
  static let name = "rollback"
  static let summary = "Put a store back as it was before its last run."
  static let discussion = """
    The store's metadata names the run that made it what it is; the backup that this run made is \
    put back, as `pipeline restore` does it. So it works for as long as the backup is kept. What \
    was written to the store since the run is in the backup that the rollback makes: restoring \
    that one undoes the rollback.

    With BACKUP, which `pipeline status` lists, that backup is put back instead: it is what \
    `pipeline restore BACKUP STORE` does.

    A second rollback goes one run further back. Without STORE, the one store in this folder that \
    has a work folder is meant.
    """
  static let examples = [
    Example("Undo the last run", "pipeline rollback Notes.sqlite"),
    Example("Go back to a backup", "pipeline rollback Notes.sqlite before-update"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .optional(
      "backup", \.backup, "The backup's folder; that of the last run unless given.",
      takes: .backup),
    .option(
      "wait", value: "TIME", \.wait,
      "How long to wait for a process that has the store; 10 s unless given."),
  ]
  static let shared: SharedOptions = [.json, .work]
  static let outlivesLostResults = true

  var store: String?
  var backup: String?
  var wait: Wait?

  func run(_ context: Context) throws -> ExitStatus {
    if let store, let backup {
      var restore = RestoreCommand()
      (restore.backup, restore.stores, restore.wait) = (backup, [store], wait)
      return try restore.run(context)
    }
    let store = try store ?? WorkFolders.onlyStore()
    var recovery = try StoreRecovery(
      store: store, work: context.options.work, wait: wait.duration)
    recovery.resumed = context.resumed
    let words = CommandRecord.words(Self.name, [.path(store)])
    context.tell([try recovery.rollback(command: words)])
    return .done
  }
}
