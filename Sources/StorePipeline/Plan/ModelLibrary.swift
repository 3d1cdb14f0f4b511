public import CoreDataStore
import Foundation
internal import OperatingSystem

/// The models that a pipeline file names: every version of each, merged where there are several.
public struct ModelLibrary: Sendable {
  /// The paths, as they are opened.
  public let paths: [String]
  private let source: ModelSource?
  /// Models that stores keep of themselves, each under the store's name.
  private let own: [Model]

  /// Opens models and looks at which versions they have.
  ///
  /// A path that is no model by its name is a store, whose own model is taken.
  ///
  /// - Throws: `Failure` when one cannot be used.
  public init(_ paths: [String]) throws {
    self.paths = paths
    let files = paths.filter(Self.isModel)
    source = files.isEmpty ? nil : try ModelSource(files)
    own = try paths.filter { !Self.isModel($0) }.map(Self.ownModel)
    guard source != nil || !own.isEmpty else { throw Self.nothing }
  }

  /// The models of a pipeline file.
  public init(of pipeline: Pipeline) throws {
    try self.init(pipeline.models.map(pipeline.shownPath))
  }

  /// The names of all versions, file by file, each in natural order.
  public var versions: [String] { (source?.versions ?? []) + own.map(\.name) }

  /// All versions that can be read.
  var models: [Model] { versions.compactMap { try? model(named: $0) } }

  /// The current version, merged where there are several files.
  ///
  /// - Throws: `Failure` when nothing says which of several versions is the current one.
  public var current: Model {
    get throws {
      if let source { return try source.current }
      return own[0]
    }
  }

  /// One version by its name; of several files, the others have their current one.
  ///
  /// The name of a merged model, "App 2 + Sync", is taken apart.
  ///
  /// - Throws: `Failure` with the nearest name when there is no such version.
  public func model(named name: String) throws -> Model {
    if let model = own.first(where: { $0.name == name }) { return model }
    guard let source else { throw unknown(name) }
    guard has(name) || isMerged(name) else { throw unknown(name) }
    guard !has(name) else { return try source.model(named: name) }
    return try Model(
      merging: zip(source.files, Self.parts(of: name)).map { try $0.model(named: $1) })
  }

  /// Whether a name is that of a model merged of one version of each file.
  func isMerged(_ name: String) -> Bool {
    let parts = Self.parts(of: name)
    guard let files = source?.files, files.count > 1, parts.count == files.count else {
      return false
    }
    return zip(files, parts).allSatisfy { $0.versions.contains($1) }
  }

  /// Whether some file has a version of this name.
  public func has(_ name: String) -> Bool { versions.contains(name) }

  /// Finds the version of a store.
  package func recognise(_ store: Store) throws -> ModelRecognition {
    try store.recognise(among: source)
  }
}

extension ModelLibrary {
  /// Whether a path names a model, by what it is called and what it is; all else may be a store.
  public static func isModel(_ path: String) -> Bool {
    let kind = ModelFile.Kind(rawValue: URL(filePath: path).pathExtension.lowercased())
    return kind != nil || path.hasSuffix(".xcdatamodel/contents")
      || FileSystem.entry(following: path)?.isFolder == true
  }

  /// The names of the versions that a model was merged of.
  static func parts(of name: String) -> [String] { name.components(separatedBy: " + ") }

  /// Where a model, and those with the same hashes, stand among the versions of the file that has a
  /// version of this name.
  ///
  /// Nowhere when the model is not from that file.
  func places(of model: Model, besides name: String) -> [Int] {
    guard let file = source?.files.first(where: { $0.versions.contains(name) }) else { return [] }
    let parts = Set(Self.parts(of: model.name) + [model.name])
    return file.versions.indices.filter { place in
      let version = file.versions[place]
      return parts.contains(version)
        || (try? file.model(named: version).isSame(as: model)) == true
    }
  }

  /// The versions that lie between two of one file, in natural order; none on the way back.
  package func versions(between first: String, and last: String) -> [String] {
    let all = siblings(of: first)
    guard let start = all.firstIndex(of: first), let end = all.firstIndex(of: last), start < end
    else { return [] }
    return Array(all[(start + 1)..<end])
  }

  /// The versions of the file that has a version of this name.
  func siblings(of name: String) -> [String] {
    source?.files.first { $0.versions.contains(name) }?.versions ?? []
  }

  private static func ownModel(of path: String) throws -> Model {
    let name = URL(filePath: path).lastPathComponent
    guard case .model(let model) = try Store(path).cachedModel() else {
      throw Failure(
        readingModel: path, why: "The store keeps no model of itself, or a damaged one.",
        remedy: "Name the model's own file instead.")
    }
    return try Model(
      name: name, entities: model.entities, versionIdentifiers: model.versionIdentifiers,
      configurations: model.configurations, fetchRequests: model.fetchRequests,
      recordedHashes: model.recordedHashes)
  }

  private static let nothing = Failure(
    readingModel: "an empty list", why: "No model is named.", remedy: "Name one.")

  private func unknown(_ name: String) -> Failure {
    let nearest = NearestName.version(name, among: versions)
    let list = versions.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return Failure(
      .unusableModel, what: "cannot find the model version",
      subject: "\"\(name)\" in \(paths.joined(separator: ", "))",
      why: "The versions there are: \(list).",
      remedy: nearest.map { "Did you mean \"\($0)\"?" } ?? "Name one of these versions.")
  }
}
