import StorePipeline

/// `pipeline rejects`: lists the objects that scripts rejected.
struct RejectsCommand: Command {
  static let name = "rejects"
  static let summary = "List the objects that scripts rejected, with the reasons."
  static let discussion = """
    Each line has the entity, the object's Z_PK in the old store, the reason and the line of the \
    script. Values are shown only with --values: they are the data of a user. Once the script is \
    corrected, `pipeline retry` puts the objects into the store.
    """
  static let examples = [
    Example("Which objects were rejected?", "pipeline rejects Notes.sqlite"),
    Example("With what they hold", "pipeline rejects Notes.sqlite --values --limit 10"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("store", \.store, "The store; the one in this folder unless given.", takes: .store),
    .flag("values", \.showsValues, "Show the values that the objects held."),
    .option("limit", value: "N", \.limit, "The most objects that are listed; all are counted."),
  ]
  static let shared: SharedOptions = [.json, .work]

  var store: String?
  var showsValues = false
  var limit = 1000

  func run(_ context: Context) throws -> ExitStatus {
    guard limit >= 0 else { throw UsageError("--limit takes a number of objects, not \(limit)") }
    let store = try store ?? WorkFolders.onlyStore()
    let recovery = try StoreRecovery(store: store, work: context.options.work)
    let rejects = try recovery.rejects(limit: limit, showsValues: showsValues)
    let console = context.console
    console.result(
      context.options.json
        ? rejects.json : rejects.text(width: console.reportWidth, style: console.outputStyle))
    return .done
  }
}
