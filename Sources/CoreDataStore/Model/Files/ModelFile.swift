/// A file or folder that holds one or more versions of a data model.
public struct ModelFile: Sendable {
  /// The forms in which models are kept.
  public enum Kind: String, Sendable {
    /// Xcode's folder of versions, `.xcdatamodeld`.
    case sourceVersions = "xcdatamodeld"
    /// Xcode's single version, `.xcdatamodel`.
    case source = "xcdatamodel"
    /// A folder of compiled versions, `.momd`.
    case compiledVersions = "momd"
    /// A single compiled version, `.mom`.
    case compiled = "mom"
  }

  /// Where it is, as it was given.
  public let path: String
  /// The form.
  public let kind: Kind
  /// The names of the versions, in natural order.
  public let versions: [String]

  private let locations: [String: String]
  private let currentAnswer: Result<String, ModelError>
  private let record: VersionRecord?

  /// Looks at a file or folder; nothing but its list of versions is read.
  ///
  /// - Throws: ``ModelError`` when it is not there, of no known kind or without versions.
  public init(_ path: String) throws {
    let place = ModelPlace(path)
    kind = try place.kind()
    self.path = path
    locations = try place.locations(kind)
    versions = ModelPlace.naturalOrder(locations.keys)
    record = try VersionRecord.beside(place, kind)
    currentAnswer = CurrentVersion.find(in: place, kind, among: versions, record: record)
  }

  /// The name of the current version.
  ///
  /// - Throws: ``ModelError`` when nothing says which of several versions is the current one.
  public var currentVersion: String { get throws { try currentAnswer.get() } }

  /// The current version.
  public var current: Model { get throws { try model(named: currentVersion) } }

  /// Every version, in natural order.
  public var models: [Model] { get throws { try versions.map(model(named:)) } }

  /// One version by its name.
  ///
  /// - Throws: ``ModelError`` when there is no such version, or it cannot be read.
  public func model(named name: String) throws -> Model {
    let wanted = locations[name] == nil ? ModelPlace.stem(name) : name
    guard let location = locations[wanted] else { throw unknown(name) }
    do throws(ModelError) {
      return try read(location, name: wanted)
    } catch {
      throw error.inside(location)
    }
  }

  private func read(_ location: String, name: String) throws(ModelError) -> Model {
    do {
      guard kind == .source || kind == .sourceVersions else {
        let bytes = try ModelPlace.contents(of: location)
        let hashes = record?.hashes[name] ?? [:]
        let model = try CompiledModelReader.read(bytes, name: name, recordedHashes: hashes)
        try record?.check(model)
        return model
      }
      let contents = try ModelPlace.sourceContents(location)
      return try SourceModelReader.read(try ModelPlace.contents(of: contents), name: name)
    } catch let error as ModelError {
      throw error
    } catch {
      throw ModelError(reading: "", why: "\(error)")
    }
  }

  /// The bytes of a compiled version, which a store can keep as its own copy; nil for other kinds.
  package func archive(of name: String) -> [UInt8]? {
    guard kind == .compiled || kind == .compiledVersions, let location = locations[name] else {
      return nil
    }
    return try? ModelPlace.contents(of: location)
  }

  private func unknown(_ name: String) -> ModelError {
    let nearest = NearestName.of(name, among: versions)
    let list = versions.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return ModelError(
      what: "cannot find the model version", subject: "\"\(name)\" in \(path)",
      why: "The versions there are: \(list).",
      remedy: nearest.map { "Did you mean \"\($0)\"?" } ?? "Name one of these versions.")
  }
}
