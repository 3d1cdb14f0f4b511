internal import Formats
internal import Synchronization

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
  private let currentAnswer: Result<String, Failure>
  private let record: VersionRecord?
  private let read = ModelsRead()

  /// Looks at a file or folder; nothing but its list of versions is read.
  ///
  /// - Throws: ``Failure`` when it is not there, of no known kind or without versions.
  public init(_ path: String) throws {
    let (place, kind) = try ModelPlace(path).model()
    self.kind = kind
    self.path = path
    locations = try place.locations(kind)
    versions = ModelPlace.naturalOrder(locations.keys)
    record = try VersionRecord.beside(place, kind)
    currentAnswer = CurrentVersion.find(in: place, kind, among: versions, record: record)
  }

  /// The name of the current version.
  ///
  /// - Throws: ``Failure`` when nothing says which of several versions is the current one.
  public var currentVersion: String { get throws { try currentAnswer.get() } }

  /// The current version.
  public var current: Model { get throws { try model(named: currentVersion) } }

  /// Every version, in natural order.
  public var models: [Model] { get throws { try versions.map(model(named:)) } }

  /// One version by its name; it is read once.
  ///
  /// - Throws: ``Failure`` when there is no such version, or it cannot be read.
  public func model(named name: String) throws -> Model {
    let wanted = locations[name] == nil ? ModelPlace.stem(name) : name
    guard let location = locations[wanted] else { throw unknown(name) }
    do throws(Failure) {
      return try read.model(wanted) { () throws(Failure) in try model(at: location, name: wanted) }
    } catch {
      throw error.inside(location)
    }
  }

  private func model(at location: String, name: String) throws(Failure) -> Model {
    do {
      guard kind == .source || kind == .sourceVersions else {
        let bytes = try ModelPlace.contents(of: location)
        let hashes = record?.hashes[name] ?? [:]
        let model = try CompiledModelReader.read(bytes, name: name, recordedHashes: hashes)
        try record?.check(model)
        return model
      }
      let contents = try ModelPlace.sourceContents(location)
      let bytes = try ModelPlace.contents(of: contents)
      let model = try SourceModelReader.read(bytes, name: name)
      guard let record = try VersionRecord.inside(location) else { return model }
      try record.check(bytes, of: model)
      return try model.with(recordedHashes: record.only)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(readingModel: "", why: "\(error)")
    }
  }

  /// Where a version is read from and, in Xcode's form, the line that each entity, `Note`, and each
  /// property, `Note.title`, begins in; the line of the model is that of the empty name.
  package func lines(of version: String) -> (path: String, lines: [String: Int]) {
    let location = locations[version] ?? path
    guard kind == .source || kind == .sourceVersions,
      let contents = try? ModelPlace.sourceContents(location),
      let bytes = try? ModelPlace.contents(of: contents), let root = try? XMLTree(bytes).root
    else { return (location, [:]) }
    var lines = ["": root.line]
    for entity in root.children("entity") {
      guard let name = entity["name"] else { continue }
      lines[name] = entity.line
      for property in entity.children {
        if let own = property["name"] { lines["\(name).\(own)"] = property.line }
      }
    }
    return (contents, lines)
  }

  /// The bytes of a compiled version, which a store can keep as its own copy; nil for other kinds.
  package func archive(of name: String) -> [UInt8]? {
    guard kind == .compiled || kind == .compiledVersions, let location = locations[name] else {
      return nil
    }
    return try? ModelPlace.contents(of: location)
  }

  private func unknown(_ name: String) -> Failure {
    let nearest = NearestName.version(name, among: versions)
    let list = versions.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return Failure(
      .unusableModel, what: "cannot find the model version", subject: "\"\(name)\" in \(path)",
      why: "The versions there are: \(list).",
      remedy: nearest.map { "Did you mean \"\($0)\"?" } ?? "Name one of these versions.")
  }
}

/// The versions of a file that have been read: a fleet of stores asks for the same ones each time.
private final class ModelsRead: Sendable {
  private let models = Mutex<[String: Model]>([:])

  /// The version of a name; two that ask at once may both read it.
  func model(_ name: String, _ read: () throws(Failure) -> Model) throws(Failure) -> Model {
    if let model = models.withLock({ $0[name] }) { return model }
    let model = try read()
    models.withLock { $0[name] = model }
    return model
  }
}

/// Which of several versions is the current one.
enum CurrentVersion {
  /// The current version's name, or why there is none.
  static func find(
    in place: ModelPlace, _ kind: ModelFile.Kind, among versions: [String], record: VersionRecord?
  ) -> Result<String, Failure> {
    do throws(Failure) {
      let said = kind == .sourceVersions ? try said(in: place) : record?.currentVersion
      return .success(try choose(said, among: versions, kind, place))
    } catch {
      return .failure(error)
    }
  }

  /// What Xcode's `.xccurrentversion` says, nil when it is not there.
  private static func said(in place: ModelPlace) throws(Failure) -> String? {
    let file = place.below(".xccurrentversion")
    guard ModelPlace(file).exists else { return nil }
    do {
      let list = try PropertyList(reading: try ModelPlace.contents(of: file))
      return list["_XCCurrentVersionName"]?.string.map(ModelPlace.stem)
    } catch let error as Failure {
      throw error.inside(file)
    } catch {
      throw Failure(readingModel: file, why: "The current version cannot be read: \(error)")
    }
  }

  private static func choose(
    _ said: String?, among versions: [String], _ kind: ModelFile.Kind, _ place: ModelPlace
  ) throws(Failure) -> String {
    if kind == .source || kind == .compiled || said == nil, versions.count == 1 {
      return versions[0]
    }
    guard let said else {
      throw Failure(
        .unusableModel, what: "cannot find out the current model version", subject: place.path,
        why: "It has \(versions.count) versions, and nothing in it names the current one.",
        remedy: "Name the version: \(versions.prefix(20).joined(separator: ", ")).")
    }
    guard versions.contains(said) else {
      throw Failure(
        .unusableModel, what: "cannot find out the current model version", subject: place.path,
        why: "It says \"\(said)\", which is not among its versions.",
        remedy: "Name the version: \(versions.prefix(20).joined(separator: ", ")).")
    }
    return said
  }
}
