import CoreDataStore
import Foundation
import StorePipeline

/// `pipeline new`: a pipeline file, scripts and tests to begin with.
struct NewCommand: Command {
  static let name = "new"
  static let summary = "Write a pipeline file, scripts and tests between two versions."
  static let discussion = """
    What can be inferred stands in comments; what cannot has a line of its own with the reason. \
    Each entity with values that cannot be inferred gets a script with a function for each of \
    them. What is written passes `pipeline check` and `pipeline test` at once; no file is written \
    over.

    With --from-mapping an Xcode mapping model has the first word: names, values and expressions \
    are taken from it, and an entity with a policy class of one's own gets a script.
    """
  static let examples = [
    Example(
      "Between two versions",
      "pipeline new --models Notes.xcdatamodeld --from Notes --to 'Notes 2' -o migration"),
    Example(
      "From a mapping model",
      "pipeline new --models App.xcdatamodeld --from-mapping 1to2.xcmappingmodel -o migration"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeated("models", value: "PATH", \.models, "The models; several are merged.", takes: .file),
    .option("from", value: "VERSION", \.from, "The version to start at."),
    .option(
      "to", value: "VERSION", \.to, "The version to arrive at; the current one unless given."),
    .option(
      "from-mapping", value: "PATH", \.mapping, "An Xcode mapping model, .xcmappingmodel.",
      takes: .file),
    .option(
      "output", short: "o", value: "DIR", \.folder, "The folder to write into, made if need be.",
      takes: .written(.folder)),
  ]
  static let shared: SharedOptions = .json

  var models: [String] = []
  var from: String?
  var to: String?
  var mapping: String?
  var folder: String?

  func run(_ context: Context) throws -> ExitStatus {
    guard !models.isEmpty else { throw UsageError("give --models PATH") }
    let said = try mapping.map { try MappingModelFile($0).mapping }
    let library = try ModelLibrary(models)
    guard let from = from ?? said?.sourcePath.map(Self.version) else {
      throw UsageError("give --from VERSION; the models have \(Self.list(library.versions))")
    }
    let source = try library.model(named: from)
    let name = to ?? said?.destinationPath.map(Self.version)
    let target = try name.map(library.model(named:)) ?? library.current
    guard source.name != target.name else {
      throw UsageError("--from and --to are both \(source.name.quoted)")
    }
    let folder = URL(filePath: folder ?? ".", directoryHint: .isDirectory)
    let scaffold = PipelineScaffold(
      models: models.map { Self.relative($0, to: folder) }, from: source, to: target, mapping: said)
    let files = scaffold.files.map { file in
      (file: NewFile(path: path(of: file.name)), text: file.text)
    }
    for (file, _) in files { try file.checkAbsence() }
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (file, text) in files { try file.create(text) }
    tell(scaffold, files.map(\.file.path), context)
    return scaffold.unsettled.isEmpty && scaffold.stubs == 0 ? .done : .no
  }

  private func tell(_ scaffold: PipelineScaffold, _ paths: [String], _ context: Context) {
    let console = context.console
    for problem in scaffold.unsettled { console.warn("nothing settles \(problem)") }
    guard !context.options.json else { return console.result(JSONWrittenFiles(paths).text) }
    console.result(paths.map { "wrote \($0)" }.joined(separator: "\n"))
    let count = scaffold.questions
    guard count > 0 || !scaffold.unsettled.isEmpty else {
      return console.note("everything can be inferred")
    }
    if scaffold.stubs > 0 {
      let (parts, end) = scaffold.stubs == 1 ? ("part", "ends") : ("parts", "end")
      console.warn(
        "\(scaffold.stubs) \(parts) of the mapping model could not be translated, and \(end) the "
          + "run until you write what it did: look for 'error(' in the scripts")
    }
    console.note("\(count) \(count == 1 ? "line needs" : "lines need") your eye: each says why")
  }

  private func path(of name: String) -> String {
    guard let folder, folder != "." else { return name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The version's name in a mapping model's path, "Notes.xcdatamodeld/Notes 2.xcdatamodel".
  private static func version(_ path: String) -> String {
    URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  private static func list(_ names: [String]) -> String {
    names.map(\.quoted).joined(separator: ", ")
  }

  /// A path as a file in another folder names it.
  private static func relative(_ path: String, to folder: URL) -> String {
    guard !path.hasPrefix("/") else { return path }
    let from = folder.standardizedFileURL.path.split(separator: "/")
    let to = URL(filePath: path).standardizedFileURL.path.split(separator: "/")
    let common = zip(from, to).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to[common...].map(String.init)).joined(separator: "/")
  }
}
