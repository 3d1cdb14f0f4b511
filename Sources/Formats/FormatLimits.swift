/// How much a document may ask of its reader; what others made is hostile until read.
package struct FormatLimits: Equatable, Sendable {
  /// The largest document, in bytes.
  package var bytes: Int
  /// The most values a document may unfold into, a shared value counted each time it is met.
  package var nodes: Int
  /// The deepest nesting.
  package var depth: Int

  /// Limits of one's own.
  package init(bytes: Int, nodes: Int, depth: Int) {
    self.bytes = bytes
    self.nodes = nodes
    self.depth = depth
  }

  package static let propertyList = FormatLimits(bytes: 16 << 20, nodes: 100_000, depth: 64)
  /// XML documents, models' sources above all.
  package static let xml = FormatLimits(bytes: 64 << 20, nodes: 1_000_000, depth: 64)
  /// JSON documents, printed plans above all.
  package static let json = FormatLimits(bytes: 64 << 20, nodes: 1_000_000, depth: 128)
}

/// What is left of a document's limits while it unfolds.
struct FormatBudget {
  private var nodes: Int
  private var bytes: Int
  private let depth: Int
  private let format: FormatError.Format

  /// A full budget.
  ///
  /// Shared strings may unfold to four times the largest document, not to more.
  init(_ limits: FormatLimits, for format: FormatError.Format) {
    nodes = limits.nodes
    bytes = min(limits.bytes, .max / 4) * 4
    depth = limits.depth
    self.format = format
  }

  /// Pays for one value with `size` bytes of its own at `level`, the root being at level 1.
  mutating func spend(size: Int = 0, level: Int) throws(FormatError) {
    guard level <= depth else {
      throw FormatError(format, "nested deeper than \(depth) levels, or a value contains itself")
    }
    nodes -= 1
    bytes -= size
    guard nodes >= 0 else { throw FormatError(format, "unfolds into too many values") }
    guard bytes >= 0 else { throw FormatError(format, "unfolds into too many bytes") }
  }
}
