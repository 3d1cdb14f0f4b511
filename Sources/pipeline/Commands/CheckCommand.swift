import StorePipeline

/// `pipeline check`: a pipeline file, its scripts and models, without a store.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "Check a pipeline file, its scripts and its models."
  static let discussion = """
    No store is needed. Options and the order of stages, models and versions, scripts, every \
    entity and attribute that is named, values for all that is mandatory, and data that would be \
    lost without being given up: all problems are reported at once, each as FILE:LINE: message, \
    and the status is then 2.

    A function of an attribute without a return is a warning, which leaves the status as it is.

    Whether a loss takes anything away depends on the store; here every loss has to be declared.
    """
  static let examples = [
    Example("Check a pipeline file", "pipeline check notes.pipeline"),
    Example("With another value of a param", "pipeline check notes.pipeline --set size=160"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("file", \.file, "The pipeline file, or the JSON of a plan.", takes: .pipeline),
    .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the file."),
    .repeated(
      "accept-loss", value: "NAME", \.losses,
      "Data that may go: Entity.property, Entity.*, *, or CloudKit for changes not exported."),
  ]
  static let shared: SharedOptions = .json

  var file = ""
  var parameters: [String] = []
  var losses: [String] = []

  func run(_ context: Context) throws -> ExitStatus {
    let console = context.console
    let (problems, warnings) = try found(console)
    if context.options.json {
      console.result(JSONPlanProblems(problems, warnings: warnings).text)
    } else {
      for warning in warnings { console.warn("\(warning)") }
    }
    guard problems.isEmpty else {
      let mistakes = FileMistakes(problems)
      if !context.options.json { console.report(mistakes.problems) }
      return mistakes.status
    }
    if !context.options.json { console.result("\(file): nothing is wrong") }
    return .done
  }

  private func found(
    _ console: Console
  ) throws -> (problems: [StorePipeline.Problem], warnings: [StorePipeline.Problem]) {
    do {
      let pipeline = try PipelineArgument(path: file, parameters: parameters).open(console)
      return Planner.check(pipeline, settings: PlanSettings(acceptedLosses: losses))
    } catch let error as PipelineFileError {
      return (error.problems, [])
    }
  }
}
