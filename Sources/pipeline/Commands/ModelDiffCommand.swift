import CoreDataStore
import StorePipeline

/// `pipeline model diff`: what happened between two versions of a model.
struct ModelDiffCommand: Command {
  static let name = "diff"
  static let summary = "Say what happened between two versions of a model."
  static let discussion = """
    A and B are each an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store whose model cache \
    is read. Without B, both versions are of A.

    Each line begins with what happened: + added, - removed, > renamed, ~ changed, = same; a ! \
    before it marks what Core Data cannot infer. Differing is no failure: the status is 0.

    --cloudkit also says which parts of the newer version CloudKit does not support, and which \
    changes a production schema does not allow.

    --html draws both versions as diagrams in one page that needs no network.
    """
  static let examples = [
    Example(
      "From one version to the current one", "pipeline model diff Notes.xcdatamodeld --from Notes"),
    Example("From an old build to a new one", "pipeline model diff Old.momd New.momd"),
    Example(
      "As a picture",
      "pipeline model diff Notes.xcdatamodeld --from Notes --html difference.html"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("a", \.a, "The older model, or a store that holds it.", takes: .file),
    .optional("b", \.b, "The newer model; A unless given.", takes: .file),
    .option("from", value: "NAME", \.from, "The version of A; the current one unless given."),
    .option("to", value: "NAME", \.to, "The version of B; the current one unless given."),
    .flag("cloudkit", \.isForCloudKit, "Check the rules of CloudKit as well."),
    .option(
      "html", value: "FILE", \.html, "Draw both as diagrams into FILE, a new file.",
      takes: .written(.new)),
  ]
  static let shared: SharedOptions = .json

  var a = ""
  var b: String?
  var from: String?
  var to: String?
  var isForCloudKit = false
  var html: String?

  func run(_ context: Context) throws -> ExitStatus {
    guard b != nil || from != to else {
      throw UsageError("without B, --from or --to must name another version of A")
    }
    let page = html.map(NewFile.init)
    try page?.checkAbsence()
    let (source, target) = try models()
    let report = ModelDifferenceReport(
      from: source, to: target, forCloudKit: isForCloudKit)
    try page?.create(HTMLModelDifferenceReport(report).text)
    let console = context.console
    console.result(
      context.options.json
        ? JSONModelDifferenceReport(report).text
        : TextModelDifferenceReport(
          report, width: console.reportWidth, style: console.outputStyle
        ).text)
    if let page { console.note("drawn: \(page.path)") }
    return .done
  }

  /// Both models, under names that differ.
  private func models() throws -> (source: Model, target: Model) {
    let source = try ModelArgument(path: a, version: from).open().model
    let target = try ModelArgument(path: b ?? a, version: to).open().model
    guard source.name == target.name, let b, a != b else { return (source, target) }
    return (
      try source.named("\(source.name) (\(a))"), try target.named("\(target.name) (\(b))")
    )
  }
}
