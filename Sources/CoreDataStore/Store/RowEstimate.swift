internal import SQLite

/// How many objects about a table has, by looking at some places of it.
struct RowEstimate {
  /// The estimate, by the entities' numbers.
  let byEntity: [Int64: Int64]

  /// How many places are looked at, and how many keys there.
  private static let places = 200
  private static let keys = 50

  init(_ connection: Connection, of table: String) throws {
    let name = Identifier.quoted(table)
    let low = try connection.integer("SELECT min(Z_PK) FROM \(name)") ?? 0
    let high = try connection.integer("SELECT max(Z_PK) FROM \(name)") ?? 0
    let span = Double(high) - Double(low) + 1
    var found: [Int64: Int64] = [:]
    for place in 0..<Self.places {
      let part = span * Double(place) / Double(Self.places)
      // The way from the lowest to the highest key may be longer than an Int64 is.
      let start = low &+ Int64(bitPattern: UInt64(part))
      try connection.query(
        "SELECT Z_ENT FROM \(name) WHERE Z_PK >= ?1 AND Z_PK < ?2",
        [.integer(start), .integer(start &+ Int64(Self.keys))]
      ) { row in
        if let number = row.integer(0) { found[number, default: 0] += 1 }
      }
    }
    let looked = Double(Self.places * Self.keys)
    byEntity = found.mapValues {
      Int64(exactly: (Double($0) / looked * span).rounded()) ?? .max
    }
  }
}
