import CoreDataStore
import Foundation
import StorePipeline

/// `pipeline new`: a pipeline file, scripts and tests to begin with.
struct NewCommand: Command {
  static let name = "new"
  static let summary = "Write a pipeline file, scripts and tests between two versions."
  static let discussion = """
    What can be inferred stands in comments, and a type that can be converted becomes convert. \
    Nothing is decided for you: what is left stands in the list undecided of the stage copy, with \
    the likely answers next to it, and check, plan and run end with status 2 until the list is \
    empty. Apart from what is listed, the file passes check, and its tests run. No file is written \
    over.

    On a terminal new asks, one question a decision. With --no-input, with --json, and when input \
    or output is no terminal, all decisions stay in the list.

    If other versions lie between the two, the file gets a step for each; --direct makes one jump. \
    --from and --to may be stores of their versions: the questions then show what the old one \
    holds, and properties with the same values are offered as renamed.

    Without --models, --from and --to name two stores, and their own models are used; --through \
    names those of versions between them. This is the way for SwiftData, whose models are Swift \
    code. The models are written next to the pipeline file, and properties with the same values \
    are offered as renamed.

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
    .repeated(
      "through", value: "VERSION", \.through,
      "A version between them, or a store of it; all that lie between unless given."),
    .flag("direct", \.isDirect, "Make one jump, whatever lies between."),
    .option(
      "from-mapping", value: "PATH", \.mapping, "An Xcode mapping model, .xcmappingmodel.",
      takes: .file),
    .option(
      "output", short: "o", value: "DIR", \.folder, "The folder to write into, made if need be.",
      takes: .written(.folder)),
    .flag("no-input", \.asksNothing, "Ask nothing; leave all decisions in the file."),
  ]
  static let shared: SharedOptions = .json

  var models: [String] = []
  var from: String?
  var to: String?
  var through: [String] = []
  var isDirect = false
  var mapping: String?
  var folder: String?
  var asksNothing = false

  func run(_ context: Context) throws -> ExitStatus {
    guard !isDirect || through.isEmpty else {
      throw UsageError("--direct and --through do not go together")
    }
    let said = try mapping.map { try MappingModelFile($0).mapping }
    guard !models.isEmpty else { return try runFromStores(context) }
    let library = try ModelLibrary(models)
    guard let from = from ?? said?.sourcePath.map(Self.version) else {
      throw UsageError("give --from VERSION; the models have \(Self.list(library.versions))")
    }
    guard from != to else { throw UsageError("--from and --to are both \(from.quoted)") }
    let (source, store) = try version(from, library)
    let (target, newer) =
      try (to ?? said?.destinationPath.map(Self.version)).map { try version($0, library) }
      ?? (Self.current(library), nil)
    guard source.name != target.name else {
      throw UsageError("--from and --to are both \(source.name.quoted)")
    }
    let between = said == nil ? try versions(between: source, target, library) : []
    let all = [(source, store)] + between + [(target, newer)]
    var choices = PipelineScaffold.Choices(
      models: models.map { Self.relative($0, to: place) }, versions: all.map(\.0))
    choices.mapping = said
    choices.samples = try .init(
      all.compactMap { model, store in store.map { (store: $0, version: model) } })
    return try write(choices, nil, context)
  }

  /// The current version; where nothing says which that is, the option that does is named.
  private static func current(_ library: ModelLibrary) throws -> Model {
    do {
      return try library.current
    } catch let failure as Failure where failure.remedy.hasPrefix("Name the version") {
      var failure = failure
      failure.remedy += " Give it as --to VERSION."
      throw failure
    }
  }

  /// A version, and the store that was named for it.
  private func version(_ name: String, _ library: ModelLibrary) throws -> (Model, Store?) {
    guard !library.has(name), FileManager.default.fileExists(atPath: name) else {
      // A name with an extension, or a path, is meant for a store.
      let url = URL(filePath: name)
      let isPath = name.contains("/") || !url.pathExtension.isEmpty
      guard isPath, !library.has(name) else { return (try library.model(named: name), nil) }
      let near = NearestName.of(name, among: library.versions).map(\.quoted)
      throw UsageError(
        "\(name.word) is neither a store nor a version: the models have "
          + Self.list(library.versions) + Self.suggestion(name, near))
    }
    let store = try Store(name, stops: { Task.isCancelled })
    let found = try library.recognise(store)
    guard found.known == .file, let model = found.model else {
      throw CommandFailure(
        .unusable, "cannot use \(name): its version is not in the models",
        hint: "'pipeline inspect \(name.word) --models \(models[0].word)' says what differs.")
    }
    return (model, store)
  }

  /// The versions that the way leads through, and the stores that were named for them.
  private func versions(
    between first: Model, _ last: Model, _ library: ModelLibrary
  ) throws -> [(Model, Store?)] {
    guard !isDirect else { return [] }
    guard !through.isEmpty else {
      return try library.versions(between: first.name, and: last.name)
        .map { (try library.model(named: $0), nil) }
        .filter { !$0.0.isSame(as: first) && !$0.0.isSame(as: last) }
    }
    let between = try through.map { try version($0, library) }
    try Self.checkWay([first] + between.map(\.0) + [last], library)
    return between
  }

  /// Refuses a way that meets a version twice, or passes one and comes back to it.
  private static func checkWay(_ versions: [Model], _ library: ModelLibrary) throws {
    for (place, model) in versions.enumerated() {
      if let other = versions[..<place].first(where: { $0.isSame(as: model) }) {
        let twice =
          other.name == model.name
          ? "\(model.name.quoted) stands twice in"
          : "\(other.name.quoted) and \(model.name.quoted) are the same version in"
        throw UsageError("\(twice) --from, --through and --to; name each version once")
      }
      for earlier in versions[..<place] {
        let passed = library.versions(between: earlier.name, and: model.name)
        guard let other = versions[(place + 1)...].first(where: { passed.contains($0.name) })
        else { continue }
        throw UsageError(
          "--from, --through and --to go past \(other.name.quoted) to \(model.name.quoted) and "
            + "back; name the versions in the order in which the app had them")
      }
    }
  }

  private func runFromStores(_ context: Context) throws -> ExitStatus {
    guard mapping == nil, let from, let to else {
      throw UsageError("give --models PATH, or a store of each version: --from OLD --to NEW")
    }
    for path in [from] + through + [to] where !FileManager.default.fileExists(atPath: path) {
      throw UsageError(
        "\(path.word) is no store\(Self.suggestion(path)); versions have names only with --models "
          + "PATH, which names the models")
    }
    let models = try ExtractedModels([from] + through + [to])
    for loss in models.losses { context.console.warn(loss) }
    var choices = PipelineScaffold.Choices(
      models: [ExtractedModels.name], versions: models.versions)
    choices.samples = try .init(
      zip([from] + through + [to], models.versions).map { (store: try Store($0), version: $1) })
    return try write(choices, models, context)
  }

  /// `; did you mean App.sqlite?`, of the stores in the folder of a path that leads nowhere.
  private static func suggestion(_ path: String, _ version: String? = nil) -> String {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let stores = names.filter { StoreFiles.isStore(folder.appending(path: $0).path) }.sorted()
    let near = NearestName.of(url.lastPathComponent, among: stores).map { name in
      (path.dropLast(url.lastPathComponent.count) + name).word
    }
    return (near ?? version).map { "; did you mean \($0)?" } ?? ""
  }

  /// Refuses a file where the folder belongs: it may be a store.
  private func checkFolder() throws {
    guard let folder, FileManager.default.fileExists(atPath: folder),
      (try? URL(filePath: folder).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true
    else { return }
    let what = StoreFiles.isStore(folder) ? "a store" : "a file"
    throw UsageError(
      "\(folder.word) is \(what), and --output names the folder to write into; "
        + "nothing was written")
  }

  private func write(
    _ choices: PipelineScaffold.Choices, _ models: ExtractedModels?, _ context: Context
  ) throws -> ExitStatus {
    let asks = !asksNothing && !context.options.json && Questions.canAsk(context.console)
    let first = PipelineScaffold(choices)
    // Nothing is asked that could not be written.
    try checkFolder()
    let extracted = models.map { ($0, path(of: ExtractedModels.name)) }
    if let extracted { try NewFile(path: extracted.1).checkAbsence() }
    for file in first.files { try NewFile(path: path(of: file.name)).checkAbsence() }
    let scaffold = asks ? try Questions(context.console).settle(first, choices) : first
    let files = scaffold.files.map { file in
      (file: NewFile(path: path(of: file.name)), text: file.text)
    }
    for (file, _) in files { try file.checkAbsence() }
    try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    if let extracted { try extracted.0.write(to: extracted.1) }
    for (file, text) in files { try file.create(text) }
    tell(scaffold, (extracted.map { [$0.1] } ?? []) + files.map(\.file.path), context)
    return scaffold.unsettled.isEmpty ? .done : .no
  }

  private var place: URL { URL(filePath: folder ?? ".", directoryHint: .isDirectory) }

  private func tell(_ scaffold: PipelineScaffold, _ paths: [String], _ context: Context) {
    let console = context.console
    for problem in scaffold.unsettled { console.warn("nothing settles \(problem)") }
    guard !context.options.json else {
      return console.result(
        JSONWrittenFiles(paths, undecided: scaffold.undecided).text)
    }
    console.result(paths.map { "wrote \($0)" }.joined(separator: "\n"))
    guard !scaffold.decisions.isEmpty else {
      guard scaffold.unsettled.isEmpty else { return }
      return console.note("nothing is left to decide")
    }
    if scaffold.stubs > 0 {
      let (parts, end) = scaffold.stubs == 1 ? ("part", "ends") : ("parts", "end")
      console.warn(
        "\(scaffold.stubs) \(parts) of the mapping model could not be translated, and \(end) the "
          + "run until you write what it did: look for 'error(' in the scripts")
    }
    let count = scaffold.undecided.count
    let file = path(of: scaffold.files[0].name)
    console.note(
      "\(count) \(count == 1 ? "decision is" : "decisions are") yours to make: "
        + "'pipeline check \(file.word)' lists \(count == 1 ? "it" : "them")")
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

/// The models of stores, as versions of one model: an app with SwiftData has no model files.
private struct ExtractedModels {
  /// The folder of all versions, next to the pipeline file.
  static let name = "Models.xcdatamodeld"

  /// The versions in the order of the stores; the last is the current one.
  let versions: [Model]
  private let writers: [(name: String, writer: ModelWriter)]

  /// Reads the stores; nothing is written.
  ///
  /// - Throws: ``UsageError`` when two are of one version, `Failure` for a store without a model.
  init(_ stores: [String]) throws {
    let models = try stores.map { path in
      do {
        return try ModelArgument(path: path, version: nil).open().model
      } catch var failure as Failure where failure.kind == .unusable {
        failure.remedy = "Name the models with --models; --from and --to may stay stores."
        throw failure
      }
    }
    let hashes = models.map { VersionHashes(of: $0).entities }
    for (place, hash) in hashes.enumerated() {
      guard let other = hashes[..<place].firstIndex(of: hash) else { continue }
      throw UsageError(
        "\(stores[other].word) and \(stores[place].word) have the same version: name one store of "
          + "each")
    }
    versions = try zip(models, Self.names(of: models, in: stores)).map { try $0.named($1) }
    writers = try versions.map { ($0.name, try ModelWriter($0)) }
  }

  /// What XML cannot say of the models; none of it changes a version hash.
  var losses: [String] { writers.flatMap(\.writer.losses) }

  /// Makes the folder with all versions in it.
  func write(to path: String) throws {
    for (name, writer) in writers { try writer.write(to: "\(path)/\(name).xcdatamodel") }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    let last = versions.last?.name ?? ""
    let current = try encoder.encode(["_XCCurrentVersionName": "\(last).xcdatamodel"])
    try NewFile(path: "\(path)/.xccurrentversion").create(String(decoding: current, as: UTF8.self))
  }

  /// Names for the versions: their identifiers, or the stores' names, or numbers.
  private static func names(of models: [Model], in stores: [String]) -> [String] {
    let identifiers = models.map {
      $0.versionIdentifiers.count == 1 ? $0.versionIdentifiers[0] : ""
    }
    let files = stores.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
    let found = [identifiers, files].first { names in
      Set(names).count == names.count
        && names.allSatisfy { !$0.isEmpty && !$0.contains(/[\/:\p{Cc}]/) }
    }
    return found ?? models.indices.map { "Version \($0 + 1)" }
  }
}
