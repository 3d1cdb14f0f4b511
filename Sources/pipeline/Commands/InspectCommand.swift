import CoreDataStore
import StorePipeline

/// `pipeline inspect`: what a store or a model is and what is in it.
struct InspectCommand: Command {
  static let name = "inspect"
  static let summary = "Say what a store or a model is and what is in it."
  static let examples = [
    Example("Look at a model", "pipeline inspect Notes.xcdatamodeld"),
    Example("At another of its versions", "pipeline inspect Notes.xcdatamodeld --version Notes"),
    Example("The same for a program", "pipeline inspect Notes.xcdatamodeld --json"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("store|model", \.path, "The store or model to look at.", takes: .file),
    .option(
      "version", value: "NAME", \.version,
      "The version of a model; the current one unless given."),
  ]
  static let shared: SharedOptions = .json

  var path = ""
  var version: String?

  func run(_ context: Context) throws -> ExitStatus {
    let (model, origin) = try ModelArgument(path: path, version: version).open()
    let report = ModelReport(model, from: origin)
    let console = context.console
    console.result(
      context.options.json
        ? JSONModelReport(report).text
        : TextModelReport(report, width: console.reportWidth, style: console.outputStyle).text)
    return .done
  }
}
