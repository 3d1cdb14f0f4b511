internal import CoreDataStore

/// A work folder for a run that is to leave nothing behind: it goes with the run.
package final class TemporaryWorkFolder {
  /// The run's folders in it.
  package let folder: WorkFolder

  private let owned: OwnedFolder

  /// A folder in `parent`, or where the system has files that do not last; nothing is made yet.
  ///
  /// - Throws: ``Failure`` when there is no store.
  package init(store: String, in parent: String? = nil) throws {
    owned = try replacing("cannot make the work folder", parent ?? OwnedFolder.system) {
      try OwnedFolder(.dry, in: parent)
    }
    folder = try WorkFolder(store: store, work: owned.path)
  }

  /// Removes it with all that is in it; no file of it may be open.
  package func remove() { owned.remove() }
}
