internal import SQLite

/// How far a unit of work has come, as the store being built remembers it.
///
/// It is written by the transaction that does the work: a killed run resumes exactly there.
package struct ProgressRow: Sendable, Hashable {
  /// The unit's name.
  package let unit: String
  /// The key of the last row that was looked at; nil before the first.
  package var last: Int64?
  /// The rows that have been looked at.
  package var rows: Int
  /// The rows that were made.
  package var made: Int
  /// The bytes that the store has grown by.
  package var bytes: Int
  /// What a script wants to find again.
  package var state: [UInt8]?
  /// Whether there is nothing left to do.
  package var isDone: Bool

  /// A unit that has not begun, or as far as it came.
  package init(
    unit: String, last: Int64? = nil, rows: Int = 0, made: Int = 0, bytes: Int = 0,
    state: [UInt8]? = nil, isDone: Bool = false
  ) {
    self.unit = unit
    self.last = last
    self.rows = rows
    self.made = made
    self.bytes = bytes
    self.state = state
    self.isDone = isDone
  }
}
