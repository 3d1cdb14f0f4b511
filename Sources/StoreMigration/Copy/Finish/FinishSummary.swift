package import CoreDataStore

/// What was done to finish a store, as far as a run reports it.
package struct FinishSummary: Sendable, Hashable {
  /// The changes of the history that came over.
  package var keptChanges = 0
  /// The changes of the history that did not.
  package var droppedChanges = 0
  /// What the user should know although it is no error.
  package var warnings: [StoreWarning] = []

  /// Nothing to report.
  package init() {}
}
