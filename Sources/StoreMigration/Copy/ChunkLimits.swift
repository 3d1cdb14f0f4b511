/// How much is done between two commits; what comes first ends the chunk.
package struct ChunkLimits: Sendable, Hashable {
  package var rows: Int
  /// The bytes that the new store may grow by, about.
  package var bytes: Int
  /// The time it may take, about.
  package var time: Duration

  package static let usualRows = 10_000

  /// Limits that cost a tenth of the speed and lose half a second's work to a kill.
  package init(
    rows: Int = Self.usualRows, bytes: Int = 8 << 20, time: Duration = .milliseconds(500)
  ) {
    self.rows = max(1, rows)
    self.bytes = max(1, bytes)
    self.time = time
  }
}
