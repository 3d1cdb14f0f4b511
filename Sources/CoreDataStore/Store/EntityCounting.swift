internal import SQLite

extension Connection {
  /// How many rows of a table are of each entity, by Z_ENT; -1, which no entity has, stands for
  /// what is not a number at all.
  ///
  /// Those of the numbers that are expected are counted in one pass; to group by what is not
  /// expected SQLite has to sort.
  func rowsByEntity(of table: String, expecting numbers: [Int64]) throws -> [Int64: Int64] {
    let name = Identifier.quoted(table)
    if !numbers.isEmpty, numbers.count <= Self.mostAtOnce {
      let parts = numbers.map { "total(typeof(Z_ENT) = 'integer' AND Z_ENT = \($0))" }
      let sql = "SELECT count(*), \(parts.joined(separator: ", ")) FROM \(name)"
      let row = try rows(sql).first?.map { $0.integer ?? Int64($0.real ?? 0) } ?? []
      if row.first == row.dropFirst().reduce(0, +) {
        return Dictionary(zip(numbers, row.dropFirst())) { first, _ in first }
          .filter { $0.value > 0 }
      }
    }
    var counts: [Int64: Int64] = [:]
    try query("SELECT Z_ENT, count(*) FROM \(name) GROUP BY Z_ENT") { row in
      let number = row.type(0) == .integer ? row.integer(0) ?? -1 : -1
      counts[number, default: 0] += row.integer(1) ?? 0
    }
    return counts
  }

  /// More entities are sorted sooner than asked for one by one in each row.
  private static let mostAtOnce = 8
}
