import StorePipeline

/// `pipeline resume`: the command of a run that was cut short, once more.
struct ResumeCommand: Command {
  static let name = "resume"
  static let summary = "Resume a run that was cut short."
  static let discussion = """
    The run's record has the command that began it; that is given again, and continues where it \
    stopped: no row is lost or doubled, and scripts find what they remembered. When the pipeline, \
    a script, a model or the store has changed since, it is refused; the command itself with \
    --restart starts over.

    --give-up does not resume it: it removes the run's own files, as `pipeline abandon` does, and \
    leaves the store and its backups as they are.
    """
  static let examples = [
    Example("Resume it", "pipeline resume Notes.sqlite"),
    Example("Give it up", "pipeline resume Notes.sqlite --give-up"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .flag("give-up", \.givesUp, "Give the run up instead, and remove its files."),
  ]
  static let shared: SharedOptions = [.all, .workers]
  static let outlivesLostResults = true

  var store: String?
  var givesUp = false

  func run(_ context: Context) async throws -> ExitStatus {
    guard !givesUp else {
      var abandon = AbandonCommand()
      abandon.store = store
      return try abandon.run(context)
    }
    let store = try store ?? WorkFolders.onlyStore()
    let recovery = try StoreRecovery(store: store, work: context.options.work)
    guard let run = try recovery.interruptedRun() else {
      context.console.result("\(recovery.store.oneLine): no run was cut short")
      return .done
    }
    guard let command = CommandRecord(words: run.command) else {
      throw CommandFailure(
        .misuse, "cannot resume the run: \(recovery.store)\nNo command of this program began it.",
        hint: "Execute its plan again where it was begun, or give it up with "
          + "`\(recovery.command("abandon"))`.")
    }
    if let doubt = command.doubt(about: recovery.store) {
      throw CommandFailure(
        .misuse, "cannot resume the run: \(recovery.store)\nThe command in its record \(doubt).",
        hint: "A record can be forged. If it is the command that you gave, give it yourself:\n"
          + recovery.command(run.command))
    }
    var context = context
    context.resumed = run.id
    return try await command.run(context)
  }
}
