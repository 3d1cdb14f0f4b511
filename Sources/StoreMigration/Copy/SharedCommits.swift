internal import SQLite

// Units of work that are too small for a commit each: it costs the same for one row as for
// thousands, and an entity may have few.
extension StoreBuilder {
  /// What has been done since the last commit that units share.
  struct SharedWork {
    let limits: ChunkLimits
    /// The rows that the connection had changed when the transaction began.
    var changes = 0
    /// The size of the file then.
    var size = 0
    /// The pages that had been written before a commit until then.
    var spilled = 0
    /// The time then.
    var start = SuspendingClock.now
  }

  /// Lets the units that `body` does share commits, as many as the limits allow.
  ///
  /// What was done before an error is kept, unless SQLite has undone it.
  package func sharingCommits(
    _ limits: ChunkLimits = ChunkLimits(), _ body: () throws -> Void
  ) throws {
    shared = SharedWork(limits: limits)
    defer { shared = nil }
    do {
      try body()
    } catch {
      try? commitShared()
      throw error
    }
    try commitShared()
  }

  /// Does one unit, with the note of its progress: all of it is kept, or, when it throws, none.
  func unit<Result>(_ body: () throws -> Result) throws -> Result {
    guard shared != nil else { return try connection.transaction(.immediate, body) }
    let result =
      try connection.isInTransaction ? connection.transaction(.immediate, body) : beginShared(body)
    if try isEnough { try commitShared() }
    return result
  }

  /// Whether it costs less to commit at once: in a log nothing is synced, and pages that did not
  /// fit into memory until the commit, as counted before, are written twice.
  func commitsEarly(spilled: Int) -> Bool {
    connection.isOverlay && connection.spilledPages > spilled
  }

  private func beginShared<Result>(_ body: () throws -> Result) throws -> Result {
    shared?.changes = connection.totalChanges
    shared?.size = try size()
    shared?.spilled = connection.spilledPages
    shared?.start = .now
    return try connection.beginTransaction(body)
  }

  private var isEnough: Bool {
    get throws {
      guard let shared else { return true }
      let growth = try size() - shared.size
      return growth >= shared.limits.bytes || commitsEarly(spilled: shared.spilled)
        || connection.totalChanges - shared.changes >= shared.limits.rows
        || shared.start.duration(to: .now) >= shared.limits.time
    }
  }

  private func commitShared() throws {
    guard connection.isInTransaction else { return }
    try telling("cannot copy the objects", path) { try connection.commit() }
  }
}
