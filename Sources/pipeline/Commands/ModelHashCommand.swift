import StorePipeline

/// `pipeline model hash`: the version hashes of a model.
struct ModelHashCommand: Command {
  static let name = "hash"
  static let summary = "Print the version hashes of a model, its digest and checksum."
  static let discussion = """
    MODEL is an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store whose model cache is read.

    The hashes are those Core Data computes. Where the way to compute one is not known for certain \
    (composite attributes, unusual derived expressions) a note says so, and the hash recorded next \
    to a compiled model is shown instead if there is one.
    """
  static let examples = [
    Example("Hashes of the current version", "pipeline model hash Notes.xcdatamodeld"),
    Example("Of another version", "pipeline model hash Notes.xcdatamodeld --version Notes"),
    Example("For a program", "pipeline model hash Notes.momd --json"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("model", \.model, "The model, or a store that holds one.", takes: .model),
    .option("version", value: "NAME", \.version, "The version; the current one unless given."),
  ]
  static let shared: SharedOptions = .json

  var model = ""
  var version: String?

  func run(_ context: Context) throws -> ExitStatus {
    let report = ModelHashReport(try ModelArgument(path: model, version: version).open().model)
    for note in report.notes { context.console.note("note: \(note)") }
    context.console.result(
      context.options.json
        ? JSONModelHashReport(report).text : TextModelHashReport(report).text)
    return .done
  }
}
