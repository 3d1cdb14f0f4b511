internal import Foundation

/// The removal of a store that was being built and is of no use.
enum StagedFile {
  /// Removes the file and what SQLite left beside it.
  static func remove(_ path: String) throws {
    for suffix in ["-journal", "-wal", "-shm", ""] {
      do {
        try FileManager.default.removeItem(atPath: path + suffix)
      } catch let error as CocoaError where error.code == .fileNoSuchFile {
        continue
      } catch {
        throw StoreError(
          .refused, what: "cannot remove the unfinished store", subject: path + suffix,
          why: "\(error.localizedDescription)",
          remedy: "Check the permissions of the file and its folder, and try again.")
      }
    }
  }
}
