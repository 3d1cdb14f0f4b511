import CoreDataStore
import StorePipeline

/// `pipeline status`: the state of a store.
struct StatusCommand: Command {
  static let name = "status"
  static let summary = "Say how far the run of a store is, and which backups there are."
  static let discussion = """
    It can be asked while a run is at work, and after one was cut short: then it says whether the \
    same command resumes it, or what has changed since. Looking changes no store.
    """
  static let examples = [
    Example("How far is the run?", "pipeline status Notes.sqlite"),
    Example("Are the backups whole?", "pipeline status Notes.sqlite --verify"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .flag("verify", \.verify, "Read each backup through, and open a copy of it."),
  ]
  static let shared: SharedOptions = [.json, .work]

  var store: String?
  var verify = false

  func run(_ context: Context) throws -> ExitStatus {
    let store = try store ?? WorkFolders.onlyStore()
    let recovery = try StoreRecovery(store: store, work: context.options.work)
    var status = try recovery.status(verifies: verify)
    if let run = status.run, !run.isRunning {
      let command = CommandRecord(words: run.command)
      status.run?.needsItsCommand = command?.doubt(about: recovery.store) != nil
      let plan = command?.plan(context.console)
      status.run?.changed = try recovery.changes(since: plan)
    }
    let console = context.console
    console.result(
      context.options.json
        ? JSONRecovery.status(status)
        : TextStoreStatus(status, width: console.reportWidth, style: console.outputStyle).text)
    return status.backups.contains { $0.isDamaged } ? .no : .done
  }
}
