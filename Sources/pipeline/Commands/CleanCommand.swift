import StorePipeline

/// `pipeline clean`: removes old backups and what finished runs left.
struct CleanCommand: Command {
  static let name = "clean"
  static let summary = "Remove old backups, and what finished runs left."
  static let discussion = """
    Three backups stay, or as many as --keep says: a number, or a time as in '14 days'; 0 removes \
    all, and there is no way back then. A run that can be resumed is left alone, and so are the \
    objects that scripts rejected.
    """
  static let examples = [
    Example("Keep the newest backup", "pipeline clean Notes.sqlite --keep 1"),
    Example("Keep those of two weeks", "pipeline clean Notes.sqlite --keep '14 days'"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .option("keep", value: "N|TIME", \.keep, "Which backups stay; 3 unless given."),
  ]
  static let shared: SharedOptions = [.json, .work]

  var store: String?
  var keep: Keep?

  func run(_ context: Context) throws -> ExitStatus {
    let store = try store ?? WorkFolders.onlyStore()
    let recovery = try StoreRecovery(store: store, work: context.options.work)
    let removed = try recovery.clean(keep: keep?.choice ?? .count(3))
    context.console.result(
      context.options.json
        ? JSONRecovery.clean(removed, store: recovery.store)
        : TextRecovery.clean(removed, store: recovery.store))
    return .done
  }

  /// Which backups stay, as a command line gives it.
  struct Keep: ArgumentValue {
    static let expectation = "a number, or a time as '14 days'"

    let choice: BackupKeep

    init?(argument: String) {
      guard let choice = BackupKeep(argument) else { return nil }
      self.choice = choice
    }
  }
}
