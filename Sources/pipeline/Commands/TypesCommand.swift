import Foundation
import StorePipeline

/// `pipeline types`: annotations by which an editor completes and checks scripts.
struct TypesCommand: Command {
  static let name = "types"
  static let summary = "Write annotations for an editor: what scripts see and may call."
  static let discussion = """
    For lua-language-server: a class for every entity of both versions, with what may be nil \
    marked, and every function a script may call. pipeline-types.lua is written again each time; \
    .luarc.json, which switches off what the sandbox lacks, is written where there is none.

    Say what a hook is given, and the editor knows its attributes:
    ---@param note source.Note

    With --markdown it prints the page of all functions, and takes no file.
    """
  static let examples = [
    Example("Next to the pipeline file", "pipeline types notes.pipeline"),
    Example("In another folder", "pipeline types notes.pipeline -o scripts"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("file", \.file, "The pipeline file.", takes: .pipeline),
    .option(
      "output", short: "o", value: "DIR", \.folder,
      "Write into this folder; the pipeline file's own unless given.", takes: .written(.folder)),
    .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the file."),
    .flag("markdown", \.markdown, "Print the page of functions instead."),
  ]
  static let shared: SharedOptions = .json

  var file: String?
  var folder: String?
  var parameters: [String] = []
  var markdown = false

  func run(_ context: Context) throws -> ExitStatus {
    let console = context.console
    guard !markdown else {
      console.result(String(FunctionPage.markdown.dropLast()))
      return .done
    }
    guard let file else { throw UsageError("missing FILE") }
    let pipeline = try PipelineArgument(path: file, parameters: parameters).open(console)
    var files = context.files
    files.add(pipeline)
    try files.check()
    let plan = try Planner(pipeline: pipeline).plan()
    let folder = URL(filePath: folder ?? pipeline.folder)
    let types = NewFile(path: shown(folder.appending(path: TypeAnnotations.fileName)))
    try write(TypeAnnotations(plan).text, to: types)
    let settings = NewFile(path: shown(folder.appending(path: LanguageServerSettings.fileName)))
    let isThere = FileManager.default.fileExists(atPath: settings.path)
    if !isThere { try settings.create(LanguageServerSettings.text) }
    let written = [types.path] + (isThere ? [] : [settings.path])
    console.result(
      context.options.json
        ? JSONWrittenFiles(written).text : written.map { "wrote \($0)" }.joined(separator: "\n"))
    if isThere { console.note("\(settings.path) is there already and stays as it is") }
    return .done
  }

  /// Writes over a file that an earlier call has written, and over no other.
  private func write(_ text: String, to file: NewFile) throws {
    let old = try? String(contentsOfFile: file.path, encoding: .utf8)
    guard let old, old.hasPrefix(TypeAnnotations.firstLine) else { return try file.create(text) }
    try file.replace(text)
  }

  private func shown(_ url: URL) -> String {
    let path = url.standardizedFileURL.path
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }
}
