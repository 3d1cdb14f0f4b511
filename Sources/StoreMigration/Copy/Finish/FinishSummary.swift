package import CoreDataStore

/// What was done to finish a store, as far as it is to be told.
package struct FinishSummary: Sendable, Hashable {
  /// The changes of the history that came over.
  package var keptChanges = 0
  /// The changes of the history that did not.
  package var droppedChanges = 0
  /// What is to be known and is no error.
  package var warnings: [StoreWarning] = []

  /// Nothing to tell.
  package init() {}
}
