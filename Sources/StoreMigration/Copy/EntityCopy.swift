/// The objects of one source entity on their way into the new store, by one of the ways there are.
///
/// A chunk is one transaction, its progress in it, so that a killed run continues behind the last
/// one. What a chunk makes must not depend on where the one before it ended.
package protocol EntityCopy {
  /// How far the objects have come.
  var progress: CopyProgress { get }
  /// How many of those looked at were left out by a condition.
  var leftOut: Int { get }

  /// Does the next chunk; false when none is left.
  func chunk() throws -> Bool
}

extension EntityCopy {
  package var leftOut: Int { 0 }

  /// Does all that is left, and reports before each chunk and at the end.
  package func run(_ report: (CopyProgress) throws -> Void) throws {
    repeat { try report(progress) } while try chunk()
    try report(progress)
  }
}

/// How far the objects of one entity, or another unit of work, have come.
package struct CopyProgress: Sendable, Hashable {
  /// The source entity's name.
  package var entity: String
  /// The rows that have been looked at.
  package var rows: Int
  /// The rows there are.
  package var total: Int
  /// The bytes that the new store has grown by.
  package var bytes: Int

  package init(entity: String, rows: Int, total: Int, bytes: Int) {
    self.entity = entity
    self.rows = rows
    self.total = total
    self.bytes = bytes
  }
}

/// How much is done between two commits; what comes first ends the chunk.
package struct ChunkLimits: Sendable, Hashable {
  package var rows: Int
  /// The bytes that the new store may grow by, about.
  package var bytes: Int
  /// The time it may take, about.
  package var time: Duration

  /// As many rows as usual.
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

/// How many rows the next chunk has, after what the last one took; every way keeps this pace.
struct ChunkPace {
  /// The limits of the next chunk: the rows that the others let expect.
  var limits: ChunkLimits {
    ChunkLimits(rows: rows, bytes: most.bytes, time: most.time)
  }

  /// The rows of the next chunk.
  private(set) var rows: Int
  private let most: ChunkLimits

  init(_ limits: ChunkLimits) {
    most = limits
    // Nothing is known of the rows yet: large ones must not make a large transaction.
    rows = min(100, limits.rows)
  }

  /// Notes what a chunk of ``rows`` rows took.
  mutating func note(bytes: Int, time: Duration) {
    let ofBytes = Double(most.bytes) / Double(max(bytes, 1))
    let ofTime = (most.time / max(time, .microseconds(1)))
    let factor = min(8, max(0.05, min(ofBytes, ofTime)))
    rows = min(most.rows, max(1, Int(Double(rows) * factor)))
  }
}
