internal import CoreDataStore
internal import Formats
internal import Lua
internal import StoreMigration

/// A script that says which version a store has, where its hashes do not.
///
/// It is a Lua file that returns the version's name. It finds the store's `metadata` as a table,
/// the names of all `versions` as a list, and `count "Entity where condition"`.
struct VersionScript {
  private let path: String
  private let name: String
  private let place: (file: String, line: Int)

  /// The script of a pipeline; nil when it has none.
  init?(_ declarations: StageDeclarations, of pipeline: Pipeline) {
    guard let script = declarations.versionScript else { return nil }
    path = pipeline.resolve(script.path)
    name = script.path
    place = (pipeline.file, script.line)
  }

  /// What a script says of a store.
  struct Answer {
    /// The version's name.
    let version: String
    /// The script that said so, by its name in the file, and the digest of it and what it required.
    let script: (name: String, digest: String)
  }

  /// Asks the script.
  ///
  /// - Throws: ``PipelineFileError`` when it fails, or names no version.
  func answer(for store: Store, _ library: ModelLibrary) throws -> Answer {
    do {
      let file = try ScriptFile(path: path)
      let models = try library.versions.map(library.model(named:))
      let (version, digest) = try ScriptThread.lend {
        try Self.run(file, store, library.versions, models)
      }
      guard let version, library.has(version) else { throw wrong(version, library) }
      return Answer(version: version, script: (name, digest))
    } catch let problem as Problem {
      throw PipelineFileError([problem])
    }
  }

  private static func run(
    _ file: ScriptFile, _ store: Store, _ versions: [String], _ models: [Model]
  ) throws -> (version: String?, digest: String) {
    do throws(LuaError) {
      let state = try LuaState(limits: limits)
      try state.allowModules(in: file.folder)
      let names = try state.load("return ...", name: "versions")
        .callKeepingResult([.value(.list(versions.map { .text($0) }))])
      let metadata = try state.load("return plist.decode(...)", name: "metadata")
        .callKeepingResult([.value(.string(store.metadata.plist))])
      try state.define("versions", as: names)
      try state.define("metadata", as: metadata)
      try state.define("count") { arguments in
        let text = arguments.first?.text ?? ""
        return [.integer(try store.number("count(\(text))", as: models))]
      }
      let version = try state.load(file.text, name: ScriptFile.chunk).call().first?.text
      return (version, file.digest(in: state))
    } catch {
      throw file.problem(error)
    }
  }

  private func wrong(_ version: String?, _ library: ModelLibrary) -> Problem {
    let near = version.map { NearestName.suggestion(for: $0, among: library.versions) } ?? ""
    let what = version.map { "'\($0)', which is no version\(near)" } ?? "no version's name"
    return Problem(
      file: place.file, line: place.line, message: "the script \(path) returned \(what)")
  }

  private static let limits = LuaLimits(
    memory: 64 << 20, time: .seconds(60), instructions: 200_000_000)
}
