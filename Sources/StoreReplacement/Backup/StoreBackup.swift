package import CoreDataStore
internal import Formats
internal import Foundation
package import SQLite

/// A copy of a whole store: main file, -wal, large values, and a manifest written last.
///
/// It lies in a folder of its own as the store lies in its: any program can open it there.
package struct StoreBackup: Sendable, Hashable {
  package struct File: Sendable, Hashable {
    /// Its path in the backup's folder.
    package let name: String
    package let digest: FileDigest
  }

  /// The backup's folder.
  package let path: String
  package let run: String
  /// When, in seconds since 1970.
  package let date: Int64
  /// The store's path.
  package let store: String
  /// The store's content.
  package let image: PageImage
  /// The store's journal mode.
  package let journal: String
  /// The files, the main file first.
  package let files: [File]
  /// The large values that are not in it, because the store had no files of them.
  package let missing: [MissingExternals]
  /// The SHA-256 of the manifest.
  package let digest: String

  /// The path of the backup's main file.
  package var mainPath: String { "\(path)/\(files[0].name)" }
  /// The length of all its files.
  package var bytes: Int64 { files.reduce(0) { $0 + $1.digest.bytes } }
}
