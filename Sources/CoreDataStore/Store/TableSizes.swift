internal import SQLite

/// The bytes that each table takes in a store, its indexes included.
package struct TableSizes: Sendable {
  package let bytes: [String: Int64]
  /// Whether they are an estimate: counting would have taken too long.
  package let isEstimate: Bool
}

extension Store {
  /// Measures all tables, or guesses by how many rows each has when that takes long.
  package func tableSizes(rows: [String: Int64]) -> TableSizes {
    if let walk { return TableSizes(bytes: sizes(walk), isEstimate: false) }
    let owners = Dictionary(schema.objects.map { ($0.name, $0.table) }) { first, _ in first }
    // A table of that name would be asked instead of SQLite's own.
    let isHidden = schema.objects.contains { $0.name.lowercased() == "dbstat" }
    if !isBrief, !isHidden, let measured = try? measure(owners) {
      return TableSizes(bytes: measured, isEstimate: false)
    }
    let total = rows.values.reduce(0, +)
    let bytesOfRow = total == 0 ? 0 : Double(files.bytes) / Double(total)
    return TableSizes(
      bytes: rows.mapValues { Int64(Double($0) * bytesOfRow) }, isEstimate: true)
  }

  private func sizes(_ walk: PageWalk) -> [String: Int64] {
    var bytes: [String: Int64] = [:]
    for object in schema.objects {
      bytes[object.table, default: 0] += walk.bytes(of: object.name) ?? 0
    }
    return bytes
  }

  /// "If aggregate is TRUE, one row per btree" (SQLite, The DBSTAT Virtual Table); not every SQLite
  /// has it, and it reads every page.
  private func measure(_ owners: [String: String]) throws -> [String: Int64] {
    try connection.withDeadline(.seconds(10)) {
      var bytes: [String: Int64] = [:]
      try connection.query("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE") { row in
        guard let name = try row.string(0), let size = row.integer(1) else { return }
        bytes[owners[name] ?? name, default: 0] += size
      }
      return bytes
    }
  }
}
