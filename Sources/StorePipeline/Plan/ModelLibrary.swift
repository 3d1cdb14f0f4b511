public import CoreDataStore

/// The models that a pipeline file names: every version of each, merged where there are several.
public struct ModelLibrary: Sendable {
  /// The paths, as they are opened.
  public let paths: [String]
  /// The model files.
  private let source: ModelSource?
  /// Models that stores keep of themselves, each under the store's name.
  private let own: [Model]

  /// Opens models and looks at which versions they have.
  ///
  /// A path that is no model by its name is a store, whose own model is taken.
  ///
  /// - Throws: ``ModelError`` or ``StoreError`` when one cannot be used.
  public init(_ paths: [String]) throws {
    self.paths = paths
    let files = paths.filter(Self.isModel)
    source = files.isEmpty ? nil : try ModelSource(files)
    own = try paths.filter { !Self.isModel($0) }.map(Self.ownModel)
    guard source != nil || !own.isEmpty else { throw Self.nothing }
  }

  /// The models of a pipeline file.
  public init(of pipeline: Pipeline) throws {
    try self.init(pipeline.models.map(pipeline.resolve))
  }

  /// The names of all versions, file by file, each in natural order.
  public var versions: [String] { (source?.versions ?? []) + own.map(\.name) }

  /// The current version, merged where there are several files.
  ///
  /// - Throws: ``ModelError`` when nothing says which of several versions is the current one.
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
  /// - Throws: ``ModelError`` with the nearest name when there is no such version.
  public func model(named name: String) throws -> Model {
    if let model = own.first(where: { $0.name == name }) { return model }
    guard let source else { throw unknown(name) }
    let parts = Self.parts(of: name)
    guard parts.count > 1, parts.count == source.files.count, !versions.contains(name) else {
      guard has(name) else { throw unknown(name) }
      return try source.model(named: name)
    }
    return try Model(merging: zip(source.files, parts).map { try $0.model(named: $1) })
  }

  /// Whether some file has a version of this name.
  public func has(_ name: String) -> Bool { versions.contains(name) }

  /// Finds the version of a store.
  public func recognise(_ store: Store) throws -> ModelRecognition {
    try store.recognise(among: source)
  }
}
