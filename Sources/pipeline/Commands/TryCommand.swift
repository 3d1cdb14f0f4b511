import CoreDataStore
import Foundation
import StorePipeline

/// `pipeline try`: a script on real objects, side by side, with nothing written.
struct TryCommand: Command {
  static let name = "try"
  static let summary = "Try a script on objects of a store; nothing is written."
  static let discussion = """
    Each object stands next to what the script makes of it: ~ marks what changed, + what is new, - \
    what is gone. An object that the script fails on is followed by the error with its line.

    The objects and those they lead to are copied to a temporary folder; the store's own folder \
    stays as it is. `ctx.find` and `ctx.count` see these objects alone.

    In a chain of versions the objects go through the steps before the script's first. --where is \
    about the objects as the store has them. One that an earlier step keeps from the script is \
    shown as it is in the store, with the reason.

    The models come from --pipeline, or from --models with --from and --to.

    With --watch it runs again whenever the script, or a Lua or pipeline file next to it or to the \
    pipeline file, is saved, until you stop it with Ctrl-C, with status 0; a mistake is reported \
    and waited out.
    """
  static let examples = [
    Example(
      "On five objects", "pipeline try note.lua Notes.sqlite --pipeline notes.pipeline"),
    Example(
      "On each save of the script",
      "pipeline try note.lua Notes.sqlite --pipeline notes.pipeline --watch"),
    Example(
      "On chosen ones",
      "pipeline try note.lua Notes.sqlite --pipeline notes.pipeline --where 'done = YES'"),
    Example(
      "Without a pipeline file",
      "pipeline try note.lua Notes.sqlite --models Notes.xcdatamodeld --from Notes --to 'Notes 2'"),
  ]
  static let arguments: [Argument<Self>] =
    [
      .positional("script", \.script, "The script.", takes: .script),
      .positional("store", \.store, "The store.", takes: .store),
      .option(
        "entity", value: "NAME", \.entity, "The entity whose objects the script is given."),
      .option("where", value: "CONDITION", \.condition, "Only objects that meet a condition."),
      .option("limit", value: "N", \.limit, "How many objects; 5 unless given."),
      .flag("watch", \.watches, "Run again on each save, until Ctrl-C."),
    ] + ScriptModelsArgument.arguments.map { $0.within(\.models) }
  static let shared: SharedOptions = .json

  var script = ""
  var store = ""
  var entity: String?
  var condition: String?
  var limit = 5
  var watches = false
  var models = ScriptModelsArgument()

  func run(_ context: Context) async throws -> ExitStatus {
    guard limit > 0 else { throw UsageError("--limit takes a number above 0") }
    guard watches else { return try once(context) }
    guard !context.options.json else { throw UsageError("--watch and --json do not go together") }
    do {
      while true { try await watch(context) }
    } catch is CancellationError where context.cancellation.status == .interrupted {
      // That is how a watch ends.
      return .done
    }
  }

  /// Runs once, and waits for the next save.
  private func watch(_ context: Context) async throws {
    let seen = saved
    do {
      _ = try once(context)
    } catch let error where Self.isCorrectable(error) {
      context.console.report(Console.problems(of: error))
    }
    context.console.note("waiting for the next save of \(script.word); Ctrl-C ends")
    while saved == seen { try await Task.sleep(for: .milliseconds(20)) }
  }

  private func once(_ context: Context) throws -> ExitStatus {
    let console = context.console
    guard let models = try models.open(console) else {
      throw UsageError("give --pipeline FILE, or --models PATH with --from and --to")
    }
    let trial = ScriptTry(.init(path: script, entity: entity), between: models)
    let report = try trial.run(on: store, .init(condition: condition, limit: limit))
    console.result(
      context.options.json
        ? JSONTryReport(report).text
        : TextTryReport(report, width: console.reportWidth, style: console.outputStyle).text)
    console.output.flush()
    return report.failed > 0 ? .no : .done
  }

  /// Whether the next save may settle it: a mistake in a file, and not one of the command line.
  private static func isCorrectable(_ error: any Error) -> Bool {
    error is PipelineFileError || (error as? Failure)?.kind == .unusable
  }

  /// When each file that the trial may read was saved, by its path.
  private var saved: [String: Date] {
    let named = [script] + [models.pipeline].compactMap(\.self)
    let folders = Set(named.map { URL(filePath: $0).deletingLastPathComponent() })
    var times: [String: Date] = [:]
    for folder in folders {
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
      for file in files ?? [] where ["lua", "pipeline"].contains(file.pathExtension) {
        let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
        times[file.path] = values?.contentModificationDate
      }
    }
    return times
  }
}
