internal import Formats

/// What `VersionInfo.plist` records of the versions next to it.
struct VersionRecord: Sendable {
  /// The name of the current version.
  let currentVersion: String?
  /// The digest of the XML contents that the record is for, if it has one.
  let digest: [UInt8]?
  /// The version hashes by version and entity.
  let hashes: [String: [String: VersionHash]]
  /// The checksum of each version; older records have none.
  let checksums: [String: String]

  /// The record of a compiled model, nil when there is none.
  static func beside(
    _ place: ModelPlace, _ kind: ModelFile.Kind
  ) throws(Failure) -> VersionRecord? {
    let folder = kind == .compiledVersions ? place : place.folder
    let isCompiled = kind == .compiledVersions || kind == .compiled
    let file = folder.below(name)
    guard isCompiled, folder.fileExtension == "momd", ModelPlace(file).exists else { return nil }
    return try read(file)
  }

  /// The record in the folder of a version in XML, which `model extract` writes where hashes cannot
  /// be computed; nil when there is none.
  static func inside(_ location: String) throws(Failure) -> VersionRecord? {
    let file = ModelPlace(location).below(name)
    guard ModelPlace(file).exists else { return nil }
    return try read(file)
  }

  /// The hashes of the only version that it records.
  var only: [String: VersionHash] { hashes.count == 1 ? hashes.values.first ?? [:] : [:] }

  /// A record of one version's hashes, which is valid only for these contents.
  static func bytes(of model: Model, contents: [UInt8]) throws -> [UInt8] {
    let hashes = VersionHashes(of: model).entities.mapValues { PropertyList.data($0.bytes) }
    return try BinaryPropertyListWriter.write(
      .dictionary([
        Self.key: .dictionary([model.name: .dictionary(hashes)]),
        Self.contentsKey: .data(Digest.sha256(contents)),
      ]))
  }

  /// Checks that a version in XML is the one that was recorded: once the version is changed by
  /// hand, the recorded hashes are those of another version.
  func check(_ contents: [UInt8], of model: Model) throws(Failure) {
    let missing = model.entities.first { only[$0.name] == nil }?.name
    guard missing == nil, digest == nil || digest == Digest.sha256(contents) else {
      throw Failure(
        readingModel: model.name,
        why: "Its VersionInfo.plist was written for other contents"
          + (missing.map { ": it does not have the entity \($0)." } ?? "."),
        remedy: "Extract the version from a store again, or remove VersionInfo.plist.")
    }
  }

  private static let name = "VersionInfo.plist"
  private static let key = "NSManagedObjectModel_VersionHashes"
  private static let contentsKey = "PipelineContentsDigest"

  private static func read(_ file: String) throws(Failure) -> VersionRecord {
    do {
      return try VersionRecord(PropertyList(reading: try ModelPlace.contents(of: file)))
    } catch let error as Failure {
      throw error.inside(file)
    } catch {
      throw Failure(readingModel: file, why: "The record of versions cannot be read: \(error)")
    }
  }

  private init(_ list: PropertyList) throws(Failure) {
    currentVersion = list["NSManagedObjectModel_CurrentVersionName"]?.string
    digest = list[Self.contentsKey]?.data
    checksums = (list["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:])
      .compactMapValues(\.string)
    var hashes: [String: [String: VersionHash]] = [:]
    for (version, entities) in list[Self.key]?.dictionary ?? [:] {
      hashes[version] = (entities.dictionary ?? [:]).compactMapValues {
        $0.data.flatMap(VersionHash.init(bytes:))
      }
    }
    self.hashes = hashes
  }

  /// Compares a model with what was recorded: the same entities, the same checksum.
  ///
  /// The hashes themselves were compared when the model was made.
  func check(_ model: Model) throws(Failure) {
    if let known = hashes[model.name],
      let entity = model.entities.first(where: { known[$0.name] == nil })
    {
      throw difference(
        model, "VersionInfo.plist next to it does not have its entity \(entity.name).")
    }
    guard let recorded = checksums[model.name],
      let checksum = VersionHashes(of: model).checksum, checksum != recorded
    else { return }
    throw difference(
      model, "Its checksum is \(checksum), but VersionInfo.plist next to it says \(recorded).")
  }

  private func difference(_ model: Model, _ why: String) -> Failure {
    Failure(
      readingModel: "model \(model.name)", why: why,
      remedy: "The model and its record are of different builds: take both from the same build.")
  }
}
