import StorePipeline

/// `pipeline abandon`: gives up a run that was cut short.
struct AbandonCommand: Command {
  static let name = "abandon"
  static let summary = "Give up a run that was cut short, and remove its files."
  static let discussion = """
    The store, the backups and the objects that scripts rejected stay. A state that cannot be \
    read is removed, too: the store is whole whatever it says. When the new store is in place \
    already, what was left to do is done.
    """
  static let examples = [
    Example("Give up the run", "pipeline abandon Notes.sqlite")
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store)
  ]
  static let shared: SharedOptions = [.json, .work]

  var store: String?

  func run(_ context: Context) throws -> ExitStatus {
    let store = try store ?? WorkFolders.onlyStore()
    let summary = try StoreRecovery(store: store, work: context.options.work).abandon()
    for warning in summary.warnings { context.console.warn(warning) }
    context.console.result(
      context.options.json ? JSONRecovery.abandon(summary) : TextRecovery.abandon(summary))
    return .done
  }
}
