import CoreDataStore
import StorePipeline

/// `pipeline backup`: copies stores whole.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "Copy stores whole, while applications use them."
  static let discussion = """
    DEST becomes a folder with a copy of the store: the rows that are still in its -wal, the large \
    values next to it, and a manifest with the digest of each file. The copy is opened and checked \
    before DEST is there. A large value whose file is missing, or is not a regular file, is not in \
    the backup: a warning counts these, and the manifest lists them. Where the file system can, it \
    shares the blocks of the store.

    Several stores of one application are held still together, so that the copies fit together; \
    each has a folder of its own in DEST. `pipeline restore` takes DEST, or one of those folders.

    `pipeline backup --prune STORE` makes no copy: it removes the backups that runs of the store \
    have made, beyond those that --keep names, as `pipeline clean` does.
    """
  static let examples = [
    Example("Copy a store", "pipeline backup Notes.sqlite before-update"),
    Example("Copy two that belong together", "pipeline backup App.sqlite Cache.sqlite both"),
    Example("Remove all backups of runs but one", "pipeline backup --prune Notes.sqlite --keep 1"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating("store", \.stores, "The stores.", takes: .store),
    .positional(
      "dest", \.place, "The folder to make; it must not be there yet.",
      takes: .written(.folder)
    ).missing(with: "prune"),
    .flag("prune", \.prunes, "Remove old backups that runs have made, instead of making one."),
    .option(
      "keep", value: "N|TIME", \.keep, "Which backups stay with --prune; 3 unless given."),
    .option(
      "wait", value: "TIME", \.wait,
      "How long to wait for a process that writes, as in '30 s'; 10 s unless given."),
  ]
  static let shared: SharedOptions = [.json, .work]

  var stores: [String] = []
  var place = ""
  var wait: Wait?
  var prunes = false
  var keep: CleanCommand.Keep?

  func run(_ context: Context) throws -> ExitStatus {
    guard !prunes else { return try prune(context) }
    guard keep == nil else {
      throw UsageError("--keep is about --prune; a backup that you make stays until you remove it")
    }
    guard context.options.work == nil else {
      throw UsageError("--work is about --prune; DEST says where the backup goes")
    }
    let backups = try StoreRecovery.backUp(stores, to: place, wait: wait.duration)
    for missing in backups.flatMap(\.missing) { context.console.warn(missing.warning) }
    context.console.result(
      context.options.json
        ? JSONRecovery.backups(backups, at: place) : TextRecovery.backups(backups, at: place))
    return .done
  }

  private func prune(_ context: Context) throws -> ExitStatus {
    guard stores.count == 1 else { throw UsageError("--prune takes one store at a time") }
    var clean = CleanCommand()
    (clean.store, clean.keep) = (stores[0], keep)
    return try clean.run(context)
  }
}
