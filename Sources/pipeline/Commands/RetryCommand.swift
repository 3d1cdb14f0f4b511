import StorePipeline

/// `pipeline retry`: retries the objects that scripts rejected.
struct RetryCommand: Command {
  static let name = "retry"
  static let summary = "Retry the objects that scripts rejected, with corrected scripts."
  static let discussion = """
    Objects that a script rejected, or failed on where the stage says on_error = "reject", wait in \
    the work folder with the reason and their values; `pipeline status` counts them. Once you have \
    corrected the script, they are made in a copy of the store as it is now, with the links that \
    lead to and from them where both ends are there. The copy is checked and takes the store's \
    place in one transaction, and a backup of the store stays.

    In a chain of versions an object goes through the step that rejected it and all later ones. \
    The scripts must make of the other objects what they made in the run. Stages in Lua of the \
    last step that have a function for it, as dedupe has, change the objects as in a run. Any \
    other stage in Lua that might change them, and any in an earlier step from the one that \
    rejected them on, makes a retry impossible: it is refused, and `check` and `plan` warn of it.

    An object that fails again, that a later step rejects, that would break a rule of the model \
    or share a value that must be unique, waits on, with its new reason; the others go in. A \
    status other than 0 means that the store is as it was: 1, that none could be made or that \
    the store would break rules of its model.
    """
  static let examples = [
    Example("After the script is corrected", "pipeline retry Notes.sqlite")
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .option(
      "limit", value: "N", \.limit, "The most objects that are listed when they fail again."),
  ]
  static let shared: SharedOptions = .all
  static let outlivesLostResults = true

  var store: String?
  var limit = 100

  func run(_ context: Context) async throws -> ExitStatus {
    guard limit >= 0 else { throw UsageError("--limit takes a number of objects, not \(limit)") }
    let store = try store ?? WorkFolders.onlyStore()
    let words = CommandRecord.words(Self.name, [.path(store)])
    let retry = try RejectRetry(
      store: store, work: context.options.work, limit: limit, command: words)
    let summary = try await retry.run { context.progress.report($0) }
    context.progress.end()
    let console = context.console
    console.result(
      context.options.json
        ? JSONRetrySummary(summary).text
        : TextRetrySummary(summary, width: console.reportWidth, style: console.outputStyle).text)
    return ExitStatus(rawValue: summary.status) ?? .no
  }
}
