import StorePipeline

/// `pipeline clean`: removes old backups and what finished runs left.
struct CleanCommand: Command {
  static let name = "clean"
  static let summary = "Remove old backups, and what finished runs left."
  static let discussion = """
    Three backups stay, or as many as --keep says: a number, or a time as in '14 days'; 0 removes \
    all, and there is no way back then. A run that can be resumed is left alone. So are the \
    objects that scripts rejected, and the backups with their links and large values, until \
    `pipeline retry` has put them in or --rejects gives them up. A backup of another store that \
    was at the same path stays, too. Each backup that stays in spite of --keep is named, with the \
    reason.
    """
  static let examples = [
    Example("Keep the newest backup", "pipeline clean Notes.sqlite --keep 1"),
    Example("Keep those of two weeks", "pipeline clean Notes.sqlite --keep '14 days'"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .option("keep", value: "N|TIME", \.keep, "Which backups stay; 3 unless given."),
    .flag(
      "rejects", \.givesUpRejects,
      "Give up the objects that scripts rejected: their backups may go, and they with them."),
  ]
  static let shared: SharedOptions = [.json, .work]

  var store: String?
  var keep: Keep?
  var givesUpRejects = false

  func run(_ context: Context) throws -> ExitStatus {
    let store = try store ?? WorkFolders.onlyStore()
    let recovery = try StoreRecovery(store: store, work: context.options.work)
    let summary = try recovery.clean(
      keep: keep?.choice ?? .count(3), givesUpRejects: givesUpRejects)
    context.console.result(
      context.options.json ? JSONRecovery.clean(summary) : TextRecovery.clean(summary))
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
