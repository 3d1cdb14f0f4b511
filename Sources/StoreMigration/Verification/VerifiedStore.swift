package import CoreDataStore
internal import OperatingSystem
internal import StoreReplacement

/// One side of a verification: a store that no process writes meanwhile.
package struct VerifiedStore: Sendable {
  /// Its file.
  package let path: String
  /// Its schema.
  package let schema: StoreSchema
  /// The folders in which its large values may be, the first that has a file counts.
  package let externalFolders: [String]

  /// A side in all its parts.
  package init(path: String, schema: StoreSchema, externalFolders: [String]) {
    (self.path, self.schema, self.externalFolders) = (path, schema, externalFolders)
  }

  /// Where a large value is; nil when its file is nowhere.
  func file(of reference: ExternalReference) -> String? {
    externalFolders.map { "\($0)/\(reference.name)" }.first { path in
      ((try? FileEntry.at(path)) ?? nil)?.isRegular == true
    }
  }

  /// Whether a file has these bytes.
  func has(_ bytes: [UInt8], in reference: ExternalReference) throws -> Bool {
    guard let path = file(of: reference) else { return false }
    return try replacing("cannot read the file of a large value", path) {
      try OpenDescriptor(reading: path).contains(bytes)
    }
  }

  /// The digest of a large value; nil when its file is nowhere.
  func digest(of reference: ExternalReference) throws -> FileDigest? {
    guard let path = file(of: reference) else { return nil }
    return try replacing("cannot read the file of a large value", path) {
      try FileDigest(ofFile: path)
    }
  }
}
