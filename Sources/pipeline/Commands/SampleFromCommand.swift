import StorePipeline

/// `pipeline sample from`: a small store for tests, taken from a real one.
struct SampleFromCommand: Command {
  static let name = "from"
  static let summary = "Make a small store for tests from a real one, without its data."
  static let discussion = """
    Some objects of each entity are taken that hang together; what an object cannot be saved \
    without comes along. Their values are replaced: texts by others of the same shape, equal ones \
    by equal ones; large numbers, UUIDs, addresses, dates, bytes and pictures likewise. Booleans \
    and whole numbers up to 999 stay; texts and bytes are cut at 4,096. The metadata of the \
    application, the history and what a mirror keeps are left out. The same store gives the same \
    file.

    --keep-values names attributes whose values stay, as Entity.attribute or Entity.*; names may \
    be separated by commas. STORE is only read, and nothing that is there is written over.
    """
  static let examples = [
    Example(
      "A store of some 200 objects",
      "pipeline sample from Store.sqlite --objects 200 -o fixture.sqlite"),
    Example(
      "Texts that stand for states stay",
      "pipeline sample from Store.sqlite --keep-values Note.status -o fixture.sqlite"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("store", \.store, "The store to take objects from.", takes: .store),
    .option(
      "output", short: "o", value: "PATH", \.output,
      "The store to make; nothing may be there yet.", takes: .written(.store)),
    .option(
      "objects", value: "N", \.objects,
      "How many objects; 200 unless given. More if mandatory relationships need them."),
    .repeated(
      "keep-values", value: "NAMES", \.kept,
      "Attributes whose values stay as they are, separated by commas."),
    .repeated(
      "models", value: "PATH", \.models, "Models to recognise the store's version by.",
      takes: .model),
  ]
  static let shared: SharedOptions = .json

  var store = ""
  var output: String?
  var objects = 200
  var kept: [String] = []
  var models: [String] = []

  func run(_ context: Context) throws -> ExitStatus {
    guard objects > 0 else { throw UsageError("--objects takes a number above 0") }
    guard let output else { throw UsageError("--output is missing: the store to make") }
    try ProtectedFiles.checkFolder(of: WrittenFile(output, "--output", .store))
    let fixture = try Sample.Fixture(
      from: store, at: output, objects: objects,
      keeping: kept.flatMap { $0.split(separator: ",").map(String.init) }, models: models)
    let console = context.console
    for note in fixture.notes { console.note("note: \(note)") }
    console.result(context.options.json ? fixture.json : fixture.text(console.reportWidth))
    return .done
  }
}
