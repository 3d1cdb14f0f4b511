package import CoreDataStore
package import SQLite

/// The rows that a run has staged, with which what its scripts make a second time is compared.
package final class StagedRows: StagedStore {
  /// What stands in a twin for values that are the same.
  package let mark = StagedMark()
  /// What the comparisons have found so far.
  package private(set) var result: VerificationResult

  private let store: VerifiedStore
  private let since: SavedSince?

  /// The rows of a store; of what differs there, so much is listed.
  ///
  /// `since` is what is known of a store that others may have written to since it was made.
  package init(_ store: VerifiedStore, since: SavedSince? = nil, limit: Int = 100) {
    (self.store, self.since) = (store, since)
    result = VerificationResult(limit: limit)
  }

  package var path: String { store.path }

  package func has(_ bytes: [UInt8], in file: ExternalReference) throws -> Bool {
    try store.has(bytes, in: file)
  }

  package func comparison(
    of rows: ComputedRows, _ connection: Connection
  ) throws -> any StagedRowComparing {
    try Comparison(rows, self, connection)
  }

  /// Notes a difference, with what the script makes there.
  func add(
    _ difference: VerificationDifference, made: Value = .null, _ rows: ComputedRows,
    _ connection: Connection
  ) throws {
    let explained = try since?.explained(difference, stagedOf: rows, store.schema, connection)
    result.add(explained ?? difference, made: made)
  }

  /// Notes how many rows were compared.
  func note(rows count: Int) { result.objects += count }
}
