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

    --fail-on makes it a check for a build server: the status is 1 when a rule that it names, or \
    one of a group that it names, finds something. The groups are lossy, heavyweight, cloudkit and \
    renames; 'pipeline model rules' lists the rules. What a team has decided is allowed by the \
    rule's name, for one entity or property or for all, with the reason, which the output repeats: \
    --allow 'attribute-removed:Note.done = the app has not shown it since 2.0'. A file of \
    --allow-from has such a line for each; lines that begin with # are comments.
    """
  static let examples = [
    Example(
      "From one version to the current one", "pipeline model diff Notes.xcdatamodeld --from Notes"),
    Example("From an old build to a new one", "pipeline model diff Old.momd New.momd"),
    Example(
      "As a picture",
      "pipeline model diff Notes.xcdatamodeld --from Notes --html difference.html"),
    Example(
      "As a check of a pull request",
      "pipeline model diff Notes.xcdatamodeld --from Notes --fail-on lossy,heavyweight --github"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("a", \.a, "The older model, or a store that holds it.", takes: .model),
    .optional("b", \.b, "The newer model; A unless given.", takes: .model),
    .option("from", value: "NAME", \.from, "The version of A; the current one unless given."),
    .option("to", value: "NAME", \.to, "The version of B; the current one unless given."),
    .flag("cloudkit", \.isForCloudKit, "Check the rules of CloudKit as well."),
    .option(
      "html", value: "FILE", \.html, "Draw both as diagrams into FILE, a new file.",
      takes: .written(.new)),
    .repeated(
      "fail-on", value: "RULES", \.failing,
      "End with status 1 when one of these rules or groups, separated by commas, finds something."),
    .repeated(
      "warn-on", value: "RULES", \.warning, "Report what these rules find; the status stays 0."),
    .repeated(
      "allow", value: "RULE[:SUBJECT]=REASON", \.allowed,
      "Allow what a rule finds, in one entity or property or everywhere."),
    .repeated(
      "allow-from", value: "FILE", \.allowances, "Allow what each line of FILE allows.",
      takes: .file),
    .flag("github", \.isForGitHub, "Print what rules find as annotations of a GitHub workflow."),
    .option(
      "sarif", value: "FILE", \.sarif, "Write what rules find to FILE, a new file, as SARIF 2.1.0.",
      takes: .written(.new)),
  ]
  static let shared: SharedOptions = .json

  var a = ""
  var b: String?
  var from: String?
  var to: String?
  var isForCloudKit = false
  var html: String?
  var failing: [String] = []
  var warning: [String] = []
  var allowed: [String] = []
  var allowances: [String] = []
  var isForGitHub = false
  var sarif: String?

  func run(_ context: Context) throws -> ExitStatus {
    guard b != nil || from != to else {
      throw UsageError("without B, --from or --to must name another version of A")
    }
    let request = try LintRequest(self, isJSON: context.options.json)
    let page = html.map(NewFile.init)
    let findings = sarif.map(NewFile.init)
    for file in [page, findings].compactMap(\.self) { try file.checkAbsence() }
    let (source, target) = try models()
    let report = ModelDifferenceReport(
      from: source, to: target, forCloudKit: isForCloudKit)
    let lint = try request?.lint(report)
    try page?.create(HTMLModelDifferenceReport(report).text)
    if let lint { try findings?.create(lint.sarif) }
    answer(report, lint, context)
    for file in [page.map { ("drawn", $0) }, findings.map { ("written", $0) }].compactMap(\.self) {
      context.console.note("\(file.0): \(file.1.path)")
    }
    return lint?.failures.isEmpty ?? true ? .done : .no
  }

  private func answer(_ report: ModelDifferenceReport, _ lint: ModelLint?, _ context: Context) {
    let console = context.console
    let (width, style) = (console.reportWidth, console.outputStyle)
    if context.options.json {
      console.result(JSONModelDifferenceReport(report, lint: lint).text)
    } else if isForGitHub, let lint {
      if !lint.annotations.isEmpty { console.result(lint.annotations) }
      console.note(lint.verdict)
    } else {
      let text = TextModelDifferenceReport(report, width: width, style: style).text
      console.result(
        ([text] + [lint?.text(width: width, style: style)].compactMap(\.self))
          .joined(separator: "\n\n"))
    }
    for allowance in lint?.unused ?? [] where !isForGitHub { console.warn(allowance.complaint) }
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
