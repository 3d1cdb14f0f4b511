internal import CoreDataStore
internal import Foundation

extension FleetPicture {
  /// Writes the model of each version that no named model has, once, as a store keeps it.
  ///
  /// A model that is there already stays as it is: its name has the digest of the version.
  ///
  /// - Parameter folder: Where they go; it is made when it is not there.
  /// - Returns: The path of each by the version's digest, and what a person should know.
  /// - Throws: `Failure` when one cannot be written.
  package func extractModels(
    to folder: String
  ) throws -> (paths: [String: String], warnings: [String]) {
    var paths: [String: String] = [:]
    var warnings: [String] = []
    for version in versions where version.known != .model {
      try Task.checkCancellation()
      guard let digest = version.digest else { continue }
      let path = Self.path(in: folder, version.name, digest)
      if FileManager.default.fileExists(atPath: path) {
        paths[digest] = path
        continue
      }
      guard let model = cachedModel(of: digest) else {
        warnings.append(
          "no store of the version \(version.name) keeps a model of itself that can be read; "
            + "one is \(version.example)")
        continue
      }
      let writer = try ModelWriter(model)
      try writer.write(to: path)
      warnings += writer.losses.map { "\(path): \($0)" }
      paths[digest] = path
    }
    return (paths, warnings)
  }

  /// "Notes 3 1a2b3c4d.xcdatamodel": whatever is in the name leads nowhere else.
  private static func path(in folder: String, _ name: String, _ digest: String) -> String {
    let stem =
      name.hasPrefix("unknown") ? "" : name.filter { $0.isLetter || $0.isNumber || $0 == " " }
    let file = ([String(stem.prefix(60))] + [short(digest)]).filter { !$0.isEmpty }
      .joined(separator: " ")
    return "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(file).xcdatamodel"
  }

  /// The model as the first of a few stores keeps it: one may have none, or a damaged one.
  func cachedModel(of digest: String) -> Model? {
    for member in members.filter({ $0.digest == digest }).prefix(20) {
      if let model = try? Store(member.store, reading: .sound).cachedModel().model { return model }
    }
    return nil
  }
}
