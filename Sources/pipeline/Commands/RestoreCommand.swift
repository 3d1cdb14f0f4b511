import StorePipeline

/// `pipeline restore`: puts a backup in the place of a store.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "Put a backup in the place of a store."
  static let discussion = """
    The backup is read through first; one that is not what was copied is not used. What was in the \
    store's place is backed up, and replaced in one transaction: a status other than 0 means that \
    it is there as it was. A store that another process has is not replaced; the status is 5. A \
    store that is not there is made.

    The same command goes on with one that was cut short.
    """
  static let examples = [
    Example("Put a backup back", "pipeline restore before-update Notes.sqlite"),
    Example("Make a store of it elsewhere", "pipeline restore before-update Old.sqlite"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("backup", \.backup, "The backup's folder.", takes: .folder),
    .positional("store", \.store, "The store; it need not be there.", takes: .file),
    .option(
      "wait", value: "TIME", \.wait,
      "How long to wait for a process that has the store; 10 s unless given."),
  ]
  static let shared: SharedOptions = [.json, .work]
  static let outlivesLostResults = true

  var backup = ""
  var store = ""
  var wait: Wait?

  func run(_ context: Context) throws -> ExitStatus {
    let recovery = try StoreRecovery(
      store: store, work: context.options.work, wait: wait.duration)
    let words = CommandRecord.words(Self.name, [.path(backup), .path(store)])
    context.tell(try recovery.restore(backup, command: words))
    return .done
  }
}

extension Context {
  /// Says what putting a backup back has done.
  func tell(_ summary: RestoreSummary) {
    for warning in summary.warnings { console.warn(warning) }
    console.result(options.json ? JSONRecovery.restore(summary) : TextRecovery.restore(summary))
  }
}
