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
    """
  static let examples = [
    Example("Copy a store", "pipeline backup Notes.sqlite before-update"),
    Example("Copy two that belong together", "pipeline backup App.sqlite Cache.sqlite both"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating("store", \.stores, "The stores.", takes: .store),
    .positional(
      "dest", \.place, "The folder to make; it must not be there yet.",
      takes: .written(.folder)),
    .option(
      "wait", value: "TIME", \.wait,
      "How long to wait for a process that writes, as in '30 s'; 10 s unless given."),
  ]
  static let shared: SharedOptions = .json

  var stores: [String] = []
  var place = ""
  var wait: Wait?

  func run(_ context: Context) throws -> ExitStatus {
    let backups = try StoreRecovery.backUp(stores, to: place, wait: wait.duration)
    for missing in backups.flatMap(\.missing) { context.console.warn(missing.warning) }
    context.console.result(
      context.options.json
        ? JSONRecovery.backups(backups, at: place) : TextRecovery.backups(backups, at: place))
    return .done
  }
}
