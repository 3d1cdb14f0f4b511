internal import SQLite

/// Objects that share values which no two objects may share from now on.
struct UniqueValues {
  let construction: Construction

  /// Names the first two of them, before an index would only refuse them.
  func check() throws {
    for index in construction.targetSchema.indexes where index.isUnique {
      let columns = index.parts.map(\.column)
      let list = columns.joined(separator: ", ")
      // "all NULL values are considered different from all other NULL values" (CREATE INDEX).
      let filled = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let found = try construction.connection.rows(
        """
        SELECT min(Z_PK), max(Z_PK) FROM main.\(index.table) WHERE \(filled)
        \(index.condition.map { "AND (\($0))" } ?? "")
        GROUP BY \(list) HAVING count(*) > 1 LIMIT 1
        """)
      guard let first = found.first?[0].integer, let second = found.first?[1].integer else {
        continue
      }
      throw refusal(index, first, second)
    }
  }

  private func refusal(_ index: StoreIndex, _ first: Int64, _ second: Int64) -> StoreError {
    let entity = if case .uniqueness(let entity) = index.purpose { entity } else { index.table }
    let columns = index.parts.map(\.column).joined(separator: ", ")
    return StoreError(
      .unusable, what: "cannot keep a uniqueness constraint of the new model",
      subject: "entity \(entity), \(columns)",
      why: "The objects with Z_PK \(first) and \(second) have the same values.",
      remedy: "Leave one of them out, change it by a script, or take the constraint away.")
  }
}
