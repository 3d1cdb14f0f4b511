import StorePipeline

/// `pipeline verify`: a migrated store compared with the backup of its source.
struct VerifyCommand: Command {
  static let name = "verify"
  static let summary = "Compare a migrated store with the backup of the run that made it."
  static let discussion = """
    Both are read again and compared: every value by type and bits, large values by digest, links \
    by what they lead to; what a script made is made again and compared. Pipeline, models and \
    scripts are those of the run, and must be what they were: a script that has changed since is \
    named, and the status is 2. Neither the store nor the backup is changed, and an application \
    may continue to use the store.

    The status is 1 when there are differences. Each is reported with its entity, Z_PK and \
    property; what was made or saved after the run, which Core Data's counters show, is reported \
    as such.
    """
  static let examples = [
    Example("Is the store what the run made?", "pipeline verify Notes.sqlite"),
    Example(
      "Against a backup of your own", "pipeline verify Notes.sqlite --against before-update"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .option(
      "against", value: "BACKUP", \.against,
      "The backup's folder; that of the last run unless given.", takes: .backup),
    .option("limit", value: "N", \.limit, "The most differences that are listed; all are counted."),
  ]
  static let shared: SharedOptions = [.all, .workers]

  var store: String?
  var against: String?
  var limit = 100

  func run(_ context: Context) async throws -> ExitStatus {
    guard limit >= 0 else { throw UsageError("--limit takes a number, not \(limit)") }
    let store = try store ?? WorkFolders.onlyStore()
    var verification = try StoreVerification(
      store: store, work: context.options.work, against: against, limit: limit)
    verification.workers = context.options.workers?.count
    let summary = try await verification.run { context.progress.report($0) }
    context.progress.end()
    let console = context.console
    console.result(
      context.options.json
        ? JSONVerificationSummary(summary).text
        : TextVerificationSummary(
          summary, width: console.reportWidth, style: console.outputStyle
        ).text)
    return summary.isSame ? .done : .no
  }
}
