import StorePipeline

/// `pipeline trust`: lets a pipeline start its programs, as file and programs are now.
struct TrustCommand: Command {
  static let name = "trust"
  static let summary = "Let a pipeline file start its programs, as they are now."
  static let discussion = """
    A pipeline file with a stage hook starts programs on your machine: look at it before you trust \
    it. What is trusted is what the file says, where its programs are, and what is in those files \
    that its commands name from its folder on. When any of that changes, the file has to be \
    trusted again. Nothing is started by this command.

    The list is your own: trusted.json in the folder pipeline of $XDG_CONFIG_HOME, or where your \
    system keeps such files.
    """
  static let examples = [
    Example("Trust a pipeline file", "pipeline trust notes.pipeline"),
    Example("See what is trusted", "pipeline trust --list"),
    Example("Trust it no more", "pipeline trust --remove notes.pipeline"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("file", \.file, "The pipeline file, or the JSON of a plan.", takes: .pipeline),
    .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the file."),
    .flag("list", \.lists, "List what is trusted."),
    .flag("remove", \.removes, "Trust the file no more."),
  ]
  static let shared: SharedOptions = .json

  var file: String?
  var parameters: [String] = []
  var lists = false
  var removes = false

  func run(_ context: Context) throws -> ExitStatus {
    let list = TrustList(environment: context.console.environment)
    guard let file else {
      guard lists, !removes else { throw UsageError("no pipeline file is given") }
      tell(try list.entries(), context)
      return .done
    }
    guard !lists else { throw UsageError("--list takes no file") }
    return removes ? try distrust(file, from: list, context) : try add(file, to: list, context)
  }

  private func add(_ file: String, to list: TrustList, _ context: Context) throws -> ExitStatus {
    let console = context.console
    let pipeline = try PipelineArgument(path: file, parameters: parameters).open(console)
    guard let trust = try HookTrust(pipeline, environment: console.environment) else {
      throw CommandFailure(
        .misuse, "cannot trust \(file): it starts no programs, and needs no trust to run")
    }
    try list.add(trust)
    tell([trust], context)
    return .done
  }

  private func distrust(
    _ file: String, from list: TrustList, _ context: Context
  ) throws -> ExitStatus {
    guard try list.take(file: file) else {
      throw CommandFailure(
        .misuse, "cannot remove \(file): it is not trusted",
        hint: "'pipeline trust --list' says what is.")
    }
    tell(try list.entries(), context)
    return .done
  }

  private func tell(_ entries: [HookTrust], _ context: Context) {
    if context.options.json {
      context.console.result(JSONTrust(entries).text)
    } else {
      let lines = entries.flatMap { entry in
        ["\(entry.file) may start"]
          + entry.programs.map { "  \($0.words.joined(separator: " "))  (\($0.path))" }
      }
      context.console.result(lines.isEmpty ? "nothing is trusted" : lines.joined(separator: "\n"))
    }
  }
}
