internal import CoreDataStore
internal import SQLite

/// Indexes of the source that did not hold what their tables hold, and are rebuilt for that reason.
///
/// They are noted where a killed run finds them, and reported at the end.
struct DamagedIndexes {
  private static let prefix = "damaged "
  private let builder: StoreBuilder

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Notes one, in the transaction that leaves it out.
  func note(_ index: String) throws {
    try builder.record(ProgressRow(unit: "\(Self.prefix)\(index)"))
  }

  func warnings() throws -> [StoreWarning] {
    try builder.connection.rows(
      "SELECT unit FROM main.\(BuilderTables.progress) WHERE unit GLOB ?1 ORDER BY unit",
      [.text("\(Self.prefix)*")]
    ).compactMap { row in
      row[0].string.map { unit in
        StoreWarning(
          String(unit.dropFirst(Self.prefix.count)),
          "the index did not hold what its table holds, and is rebuilt in the new store")
      }
    }
  }
}
