internal import CoreDataStore
internal import SQLite

// What shows that a store is the one that a run has put in place: the store itself, and never what
// the run's state says. The user may have put a copy back since.
extension RunState {
  /// Whether the store in place is not the one that the state says was put there.
  ///
  /// - Throws: ``Failure`` when the store cannot be read.
  package func lacksEvidence(_ folder: WorkFolder) throws -> Bool {
    guard phase == .swapped else { return false }
    let store = try Store(folder.store, isBrief: true)
    let content = try mark == oldMark ? store.connection.pageImage() : nil
    return !isProved(by: store.metadata.lastRun ?? "", content)
  }

  /// Whether a store has what the state says was put in place.
  ///
  /// The mark in its metadata shows it, also when an application has written to it since. Where the
  /// old store had the same mark, as after a restore, the content does: what is not the old store
  /// is the new one, perhaps in use.
  ///
  /// `found` is the run that the store's metadata names last. `content` may be nil where the mark
  /// shows it.
  func isProved(by found: String, _ content: PageImage?) -> Bool {
    guard mark == oldMark else { return found == mark }
    return content != nil && (content == next || content != source?.image)
  }

  /// The sentence about a run whose store is not in place, though its state says so.
  package var contradiction: String {
    """
    the work folder says that run \(run) put its store in place, but the store that is there \
    does not carry the run's mark: it was replaced, or migrated again, since
    """
  }
}
