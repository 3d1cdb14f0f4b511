/// How many rows the next chunk should have, after what the last one took.
struct ChunkPace {
  /// The rows of the next chunk.
  private(set) var rows: Int
  private let limits: ChunkLimits

  init(_ limits: ChunkLimits) {
    self.limits = limits
    // Nothing is known of the rows yet: large ones must not make a large transaction.
    rows = min(100, limits.rows)
  }

  /// Notes what a chunk of ``rows`` rows took.
  mutating func note(bytes: Int, time: Duration) {
    let ofBytes = Double(limits.bytes) / Double(max(bytes, 1))
    let ofTime = (limits.time / max(time, .microseconds(1)))
    let factor = min(8, max(0.05, min(ofBytes, ofTime)))
    rows = min(limits.rows, max(1, Int(Double(rows) * factor)))
  }
}
