internal import Synchronization

/// The model of an application: one file, or several whose models are merged.
public struct ModelSource: Sendable {
  /// The files, in the order they were given.
  public let files: [ModelFile]
  private let recognised = ModelRecognised()

  /// The model of these paths.
  ///
  /// - Throws: ``Failure`` when one is no model file, or there is none.
  public init(_ paths: [String]) throws {
    guard !paths.isEmpty else {
      throw Failure(
        readingModel: "an empty list", why: "No model file is named.", remedy: "Name one.")
    }
    files = try paths.map(ModelFile.init)
  }

  /// The names of all versions, file by file.
  public var versions: [String] { files.flatMap(\.versions) }

  /// The current versions, merged.
  public var current: Model { get throws { try Model(merging: files.map { try $0.current }) } }

  /// The model in which one file has the version of this name, and the others their current one.
  ///
  /// - Throws: ``Failure`` when no file has such a version.
  public func model(named name: String) throws -> Model {
    let wanted = ModelPlace.stem(name)
    let owner = files.firstIndex { $0.versions.contains(name) || $0.versions.contains(wanted) }
    guard files.count > 1, let owner else { return try first.model(named: name) }
    return try Model(
      merging: files.enumerated().map { place, file in
        try place == owner ? file.model(named: name) : file.current
      })
  }

  /// The versions, one of each file, whose hashes together are these; merged.
  ///
  /// Nil when some file has no version that fits, or hashes are left over. A file of which the
  /// hashes know nothing at all does not belong to that store and is left out. A version that has
  /// all of the hashes is it, even if another file has other versions of its entities.
  ///
  /// - Throws: ``Failure`` when a file cannot be read, or when versions differ only where hashes
  ///   cannot be computed.
  public func model(matching hashes: [String: VersionHash]) throws -> Model? {
    var fitting: [Model] = []
    var hasOthers = false
    for file in files {
      let models = try file.models
      // A version that lacks an entity of the store's fits as well, and is not it.
      let fits = models.filter { $0.fits(hashes) }
      let most = fits.map(\.entities.count).max()
      let candidates = fits.filter { $0.entities.count == most }
      if let model = try Self.choose(candidates, from: file) {
        fitting.append(model)
      } else if models.contains(where: { $0.entities.contains { hashes[$0.name] != nil } }) {
        hasOthers = true
      }
    }
    let whole = fitting.filter { $0.entities.count == hashes.count }
    // Several files may have versions of one model: such files are not parts of an application.
    if hasOthers || whole.count > 1 { fitting = Array(whole.prefix(1)) }
    guard !fitting.isEmpty else { return nil }
    let merged = try Model(merging: fitting)
    guard merged.entities.count == hashes.count else { return nil }
    return try recognised.model(merged, hashes)
  }

  /// The versions, one of each file, that share the most entities with these hashes; merged.
  ///
  /// - Throws: ``Failure`` when a file cannot be read.
  public func nearest(to hashes: [String: VersionHash]) throws -> Model {
    try Model(
      merging: files.compactMap { file in
        let current = try? file.currentVersion
        return try file.models.max { first, second in
          let (one, other) = (first.agreement(with: hashes), second.agreement(with: hashes))
          return one == other ? second.name == current : one < other
        }
      })
  }

  /// Versions with equal hashes are equally good: the current one first, then the newest.
  private static func choose(_ candidates: [Model], from file: ModelFile) throws -> Model? {
    guard candidates.count > 1 else { return candidates.first }
    let unsure = candidates.first { !VersionHashes(of: $0).missing.isEmpty }
    if let entity = unsure.flatMap({ VersionHashes(of: $0).missing.first }) {
      let names = candidates.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw Failure(
        .unusableModel, what: "cannot find out which model version it is", subject: file.path,
        why: "\(names) may all be it: the version hash of \(entity) cannot be computed.",
        remedy: "Give the compiled .momd with its VersionInfo.plist instead.")
    }
    let current = try? file.currentVersion
    return candidates.first { $0.name == current } ?? candidates.last
  }

  private var first: ModelFile { files[0] }
}

/// The version of the last store, which is that of the next one where many are of the same.
private final class ModelRecognised: Sendable {
  private let last = Mutex<(version: Model, model: Model)?>(nil)

  /// A version with the hashes that a store has recorded for it.
  func model(_ version: Model, _ hashes: [String: VersionHash]) throws -> Model {
    let known = last.withLock { last in
      last.flatMap {
        $0.version.identity == version.identity && $0.model.recordedHashes == hashes
          ? $0.model : nil
      }
    }
    if let known { return known }
    let model = try version.with(recordedHashes: hashes)
    last.withLock { $0 = (version, model) }
    return model
  }
}

extension Model {
  /// Whether every entity of this model has its hash among these.
  ///
  /// An entity whose own hash is not known fits any.
  package func fits(_ hashes: [String: VersionHash]) -> Bool {
    let own = VersionHashes(of: self)
    return entities.allSatisfy { entity in
      guard let hash = hashes[entity.name] else { return false }
      return own.entities[entity.name].map { $0 == hash } ?? true
    }
  }

  /// How many entities have their hash among these; entities of the same name count a little.
  fileprivate func agreement(with hashes: [String: VersionHash]) -> Int {
    let own = VersionHashes(of: self).entities
    return entities.reduce(0) { sum, entity in
      guard let hash = hashes[entity.name] else { return sum }
      return sum + (own[entity.name] == hash ? 1_000 : 1)
    }
  }
}
