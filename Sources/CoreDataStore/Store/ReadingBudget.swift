internal import SQLite

/// The time that a look at a store may take for what takes longer the larger the store is.
package final class ReadingBudget {
  private var left: Duration

  /// So much time in all.
  package init(_ time: Duration = .seconds(1)) { left = time }

  /// Runs `body`, which reads by the connection, within a part of what is left; nil when that is
  /// not enough.
  func within<Result>(
    _ connection: Connection, _ body: () throws -> Result
  ) throws -> Result? {
    // A part only, so that something is left for what comes after.
    let limit = left / 3
    guard limit > .milliseconds(1) else { return nil }
    let start = ContinuousClock.now
    defer { left -= ContinuousClock.now - start }
    do {
      return try connection.withDeadline(limit, body)
    } catch let error as SQLiteError where error.isInterrupted {
      return nil
    }
  }
}
