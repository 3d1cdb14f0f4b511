internal import SQLite

/// What was counted in a table in one pass.
struct RowCounts {
  /// How many rows are of each entity, by Z_ENT; -1, which no entity has, stands for what is not a
  /// number at all.
  var byEntity: [Int64: Int64] = [:]
  /// How many rows meet one of the conditions.
  var meeting: Int64 = 0
}

extension RowCounts {
  /// What a walk over the pages has counted, where that is all: no value is of another type.
  init?(_ rows: WalkedRows, without columns: [UnexpectedColumn]) {
    guard let numbers = rows.numbers, columns.allSatisfy({ $0.isMissing(in: rows) }) else {
      return nil
    }
    byEntity = numbers.mapValues(Int64.init)
  }
}

extension Connection {
  /// Counts the rows of a table by their entities, and those that meet one of these conditions.
  ///
  /// Those of the numbers that are expected are counted in one pass; to group by what is not
  /// expected SQLite has to sort.
  func rowCounts(
    of table: String, expecting numbers: [Int64], meeting conditions: [String]
  ) throws -> RowCounts {
    let name = Identifier.quoted(table)
    // A list, and no chain of OR: that would be as deep as it is long.
    let cases = conditions.map { "WHEN \($0) THEN 1 " }.joined()
    let meeting = cases.isEmpty ? "0" : "count(CASE \(cases)END)"
    if !numbers.isEmpty, numbers.count <= Self.mostAtOnce {
      let parts = numbers.map { "count(CASE WHEN Z_ENT = \($0) THEN 1 END)" }
      let sql = "SELECT \(meeting), count(*), \(parts.joined(separator: ", ")) FROM \(name)"
      let row = try rows(sql).first?.map { $0.integer ?? 0 } ?? []
      if row.count == numbers.count + 2, row[1] == row.dropFirst(2).reduce(0, +) {
        let found = Dictionary(zip(numbers, row.dropFirst(2))) { first, _ in first }
        return RowCounts(byEntity: found.filter { $0.value > 0 }, meeting: row[0])
      }
    }
    var counts = RowCounts()
    try query("SELECT Z_ENT, count(*), \(meeting) FROM \(name) GROUP BY Z_ENT") { row in
      let number = row.type(0) == .integer ? row.integer(0) ?? -1 : -1
      counts.byEntity[number, default: 0] += row.integer(1) ?? 0
      counts.meeting += row.integer(2) ?? 0
    }
    return counts
  }

  /// More entities are sorted sooner than asked for one by one in each row.
  private static let mostAtOnce = 8
}
