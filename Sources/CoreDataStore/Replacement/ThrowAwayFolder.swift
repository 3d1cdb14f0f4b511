internal import Foundation

/// A work folder for a run that is to leave nothing behind: it goes with the run.
package final class ThrowAwayFolder {
  /// The run's folders in it.
  package let folder: RunFolder

  private static let prefix = "pipeline-dry-"

  /// A folder in `parent`, or where the system has files that do not last; nothing is made yet.
  ///
  /// - Throws: ``StoreError`` when there is no store.
  package init(store: String, in parent: String? = nil) throws {
    let place = parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    let path = place.appending(path: Self.prefix + UUID().uuidString).path
    folder = try RunFolder(store: store, work: path)
  }

  deinit { remove() }

  /// Removes it with all that is in it; no file of it may be open.
  package func remove() { try? FileMoves.removeTree(folder.work) }
}
