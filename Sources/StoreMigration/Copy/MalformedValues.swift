internal import CoreDataStore
internal import SQLite

/// Counts values of attributes with external storage that are neither marked as stored in the row
/// nor the name of a file.
///
/// They are carried over as they are, and reported at the end of the run.
struct MalformedValues {
  private static let prefix = "malformed "
  private let builder: StoreBuilder

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Counts values, in the transaction that copies them.
  func note(_ attribute: PropertyReference, count: Int = 1) throws {
    let unit = "\(Self.prefix)\(attribute)"
    var row = try builder.progress(of: unit) ?? ProgressRow(unit: unit)
    row.rows += count
    try builder.record(row)
  }

  /// What was counted, a warning an attribute.
  func warnings() throws -> [StoreWarning] {
    try builder.connection.rows(
      """
      SELECT unit, rows FROM main.\(BuilderTables.progress) WHERE unit GLOB ?1 ORDER BY unit
      """, [.text("\(Self.prefix)*")]
    ).compactMap { row in
      guard let unit = row[0].string, let count = row[1].integer else { return nil }
      let values = count == 1 ? "1 value is" : "\(count) values are"
      return StoreWarning(
        String(unit.dropFirst(Self.prefix.count)),
        "\(values) neither marked as stored in the row nor the name of a file; carried as stored")
    }
  }
}
