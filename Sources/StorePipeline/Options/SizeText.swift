/// Numbers of bytes as pipeline files write them: "8 MiB", "64 MB".
package enum SizeText {
  private static let units: [(name: String, bytes: Int64)] = [
    ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000),
    ("KiB", 1 << 10), ("kB", 1000), ("KB", 1000), ("B", 1),
  ]

  /// What an option that takes one expects.
  static let expectation = "a number and a unit (B, kB, KiB, MB, MiB, GB, GiB), like \"8 MiB\""

  /// Reads a number of bytes; nil when the text is none.
  package static func read(_ text: String) -> Int64? {
    guard let (count, unit) = DurationText.split(text),
      let unit = units.first(where: { $0.name == unit })
    else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit.bytes)
    return overflow ? nil : product
  }

  /// Writes it in the largest unit that leaves no rest.
  static func write(_ bytes: Int64) -> String {
    let unit = units.first { bytes != 0 && bytes % $0.bytes == 0 } ?? ("B", 1)
    return "\(bytes / unit.bytes) \(unit.name)"
  }
}
