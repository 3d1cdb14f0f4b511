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

    Without --models, --from and --to name two stores, and their own models are used. This is the \
    way for SwiftData, whose models are Swift code. The models are written next to the pipeline \
    file.

    With --from-mapping an Xcode mapping model has the first word: names, values and expressions \
    are taken from it, and an entity with a policy class of one's own gets a script.
    """
  static let examples = [
    Example(
      "Between two versions",
      "pipeline new --models Notes.xcdatamodeld --from Notes --to 'Notes 2' -o migration"),
    Example(
      "Between the versions of two stores",
      "pipeline new --from old/default.store --to new/default.store -o migration"),
    Example(
      "From a mapping model",
      "pipeline new --models App.xcdatamodeld --from-mapping 1to2.xcmappingmodel -o migration"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeated("models", value: "PATH", \.models, "The models; several are merged.", takes: .file),
    .option("from", value: "VERSION", \.from, "The version to start at, or a store of it."),
    .option(
      "to", value: "VERSION", \.to,
      "The version to arrive at, or a store of it; without a store the current one unless given."),
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
    let said = try mapping.map { try MappingModelFile($0).mapping }
    guard !models.isEmpty else { return try runFromStores(context) }
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
    let scaffold = PipelineScaffold(
      models: models.map { Self.relative($0, to: place) }, from: source, to: target, mapping: said)
    return try write(scaffold, nil, context)
  }

  private func runFromStores(_ context: Context) throws -> ExitStatus {
    guard mapping == nil, let from, let to else {
      throw UsageError("give --models PATH, or a store of each version: --from OLD --to NEW")
    }
    let models = try ExtractedModels(from: from, to: to)
    for loss in models.losses { context.console.warn(loss) }
    let scaffold = PipelineScaffold(
      models: [ExtractedModels.name], from: models.source, to: models.target)
    return try write(scaffold, models, context)
  }

  private func write(
    _ scaffold: PipelineScaffold, _ models: ExtractedModels?, _ context: Context
  ) throws -> ExitStatus {
    let files = scaffold.files.map { file in
      (file: NewFile(path: path(of: file.name)), text: file.text)
    }
    let extracted = models.map { ($0, path(of: ExtractedModels.name)) }
    if let extracted { try NewFile(path: extracted.1).checkAbsence() }
    for (file, _) in files { try file.checkAbsence() }
    try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    if let extracted { try extracted.0.write(to: extracted.1) }
    for (file, text) in files { try file.create(text) }
    tell(scaffold, (extracted.map { [$0.1] } ?? []) + files.map(\.file.path), context)
    return scaffold.unsettled.isEmpty && scaffold.stubs == 0 ? .done : .no
  }

  private var place: URL { URL(filePath: folder ?? ".", directoryHint: .isDirectory) }

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

/// The models of two stores, as two versions of one model: an app with SwiftData has no model
/// files.
private struct ExtractedModels {
  /// The folder of both versions, next to the pipeline file.
  static let name = "Models.xcdatamodeld"

  /// The version of the older store.
  let source: Model
  /// The version of the newer store, which is the current one.
  let target: Model
  private let writers: [(name: String, writer: ModelWriter)]

  /// Reads both stores; nothing is written.
  ///
  /// - Throws: ``UsageError`` when both are of one version, `Failure` for a store without a model.
  init(from old: String, to new: String) throws {
    let stores = [old, new]
    let models = try stores.map { try ModelArgument(path: $0, version: nil).open().model }
    guard VersionHashes(of: models[0]).entities != VersionHashes(of: models[1]).entities else {
      throw UsageError(
        "\(old.word) and \(new.word) have the same version: there is nothing to migrate")
    }
    let names = Self.names(of: models, in: stores)
    source = try models[0].named(names[0])
    target = try models[1].named(names[1])
    writers = try [source, target].map { ($0.name, try ModelWriter($0)) }
  }

  /// What XML cannot say of the models; none of it changes a version hash.
  var losses: [String] { writers.flatMap(\.writer.losses) }

  /// Makes the folder with both versions in it.
  func write(to path: String) throws {
    for (name, writer) in writers { try writer.write(to: "\(path)/\(name).xcdatamodel") }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    let current = try encoder.encode(["_XCCurrentVersionName": "\(target.name).xcdatamodel"])
    try NewFile(path: "\(path)/.xccurrentversion").create(String(decoding: current, as: UTF8.self))
  }

  /// Names for the versions: their identifiers, or the stores' names, or numbers.
  private static func names(of models: [Model], in stores: [String]) -> [String] {
    let identifiers = models.map {
      $0.versionIdentifiers.count == 1 ? $0.versionIdentifiers[0] : ""
    }
    let files = stores.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
    let found = [identifiers, files].first { names in
      names[0] != names[1] && names.allSatisfy { !$0.isEmpty && !$0.contains(/[\/:\p{Cc}]/) }
    }
    return found ?? ["Version 1", "Version 2"]
  }
}
