internal import Formats

/// What `VersionInfo.plist` records of the versions next to it.
struct VersionRecord: Sendable {
  /// The name of the current version.
  let currentVersion: String?
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
    let file = folder.below("VersionInfo.plist")
    guard isCompiled, folder.fileExtension == "momd", ModelPlace(file).exists else { return nil }
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
    checksums = (list["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:])
      .compactMapValues(\.string)
    var hashes: [String: [String: VersionHash]] = [:]
    for (version, entities) in list["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:] {
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
