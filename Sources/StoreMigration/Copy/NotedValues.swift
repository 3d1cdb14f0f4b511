internal import CoreDataStore
internal import SQLite

/// What there is to note about a value that was carried over.
package enum ValueRemark: String, CaseIterable, Sendable {
  /// It may be stored outside, and is neither marked as stored in the row nor the name of a file.
  case malformed
  /// It is a Decimal with more digits than its column holds.
  case rounded

  fileprivate func words(_ count: Int64) -> String {
    switch self {
    case .malformed:
      (count == 1 ? "1 value is" : "\(count) values are")
        + " neither marked as stored in the row nor the name of a file; carried as stored"
    case .rounded: count == 1 ? "1 decimal lost digits" : "\(count) decimals lost digits"
    }
  }
}

/// Counts values by what there is to note about them, to be reported at the end of the run.
struct NotedValues {
  private let builder: StoreBuilder

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Counts values, in the transaction that copies them.
  func note(_ remark: ValueRemark, _ attribute: PropertyReference, count: Int = 1) throws {
    let unit = "\(remark.rawValue) \(attribute)"
    var row = try builder.progress(of: unit) ?? ProgressRow(unit: unit)
    row.rows += count
    try builder.record(row)
  }

  /// What was counted, a warning an attribute.
  func warnings() throws -> [StoreWarning] {
    try ValueRemark.allCases.flatMap { remark -> [StoreWarning] in
      let start = "\(remark.rawValue) "
      return try builder.connection.rows(
        """
        SELECT unit, rows FROM main.\(BuilderTables.progress) WHERE unit GLOB ?1 ORDER BY unit
        """, [.text("\(start)*")]
      ).compactMap { row in
        guard let unit = row[0].string, let count = row[1].integer else { return nil }
        return StoreWarning(String(unit.dropFirst(start.count)), remark.words(count))
      }
    }
  }
}
