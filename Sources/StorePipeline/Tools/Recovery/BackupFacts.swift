package import CoreDataStore
public import Foundation
internal import StoreReplacement

/// What there is to know of a backup.
public struct BackupFacts: Sendable, Hashable {
  /// Its folder.
  public var path: String
  /// The store that it is of.
  public var store: String
  /// The run that made it.
  public var run: String
  /// When it was made.
  public var date: Date
  /// The length of its files.
  public var bytes: Int64
  /// How many there are.
  public var files: Int
  /// Whether it was read through and opened just now, and found whole; nil when it was not.
  ///
  /// One in which files of large values are `missing` is not whole.
  public var isVerified: Bool?
  /// Whether what is in it is not what was copied.
  package var isDamaged: Bool
  /// The large values that are not in it, because the store had no files of them.
  package var missing: [MissingExternals]

  init(_ backup: StoreBackup, isVerified: Bool?) {
    path = backup.path
    store = backup.store
    run = backup.run
    date = Date(timeIntervalSince1970: Double(backup.date))
    bytes = backup.bytes
    files = backup.files.count
    missing = backup.missing
    isDamaged = isVerified == false
    self.isVerified = isVerified.map { $0 && backup.missing.isEmpty }
  }
}
