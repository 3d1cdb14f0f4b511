import CoreDataStore
import Foundation
import StorePipeline

/// A model named on the command line: a path, and which of its versions is meant.
struct ModelArgument {
  let path: String
  /// The version's name; nil for the current one.
  let version: String?

  /// Whether a path names a model, by what it is called and what it is; all else may be a store.
  static func isModel(_ path: String) -> Bool { ModelLibrary.isModel(path) }

  /// The model, and where it came from.
  func open() throws -> (model: Model, origin: ModelReport.Origin) {
    guard Self.isModel(path) else { return try openStore() }
    let file = try ModelFile(path)
    let model = try version.map(file.model(named:)) ?? file.current
    let origin = ModelReport.Origin(
      path: path, kind: file.kind.rawValue, versions: file.versions,
      current: try? file.currentVersion)
    return (model, origin)
  }

  /// Where it is read from, and the lines that its entities and properties begin in.
  func lines() throws -> (path: String, lines: [String: Int]) {
    guard Self.isModel(path) else { return (path, [:]) }
    let file = try ModelFile(path)
    return file.lines(of: try version ?? file.currentVersion)
  }

  /// The model that a store keeps of itself.
  private func openStore() throws -> (model: Model, origin: ModelReport.Origin) {
    guard version == nil else {
      throw UsageError("a store has one version of its model; \(path.word) takes no version")
    }
    switch try Store(path).cachedModel() {
    case .model(let model):
      // A store knows only identifiers, which are often wrong; its own name is at least its own.
      let name = URL(filePath: path).lastPathComponent
      let origin = ModelReport.Origin(path: path, kind: "store", versions: [name], current: name)
      return (try model.named(name), origin)
    case .damaged(let why): throw noModel(why)
    case .none: throw noModel("It keeps no copy: it is old, or a migration left the copy out.")
    }
  }

  private func noModel(_ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot read the store's own model", subject: path, why: why,
      remedy: "Give the model's own file instead.")
  }
}

extension Model {
  /// The same model under another name.
  func named(_ name: String) throws -> Model {
    try Model(
      name: name, entities: entities, versionIdentifiers: versionIdentifiers,
      configurations: configurations, fetchRequests: fetchRequests, recordedHashes: recordedHashes)
  }
}
