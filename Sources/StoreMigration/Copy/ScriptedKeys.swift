internal import CoreDataStore
internal import SQLite

// What is left of the objects of a scripted entity.

extension ScriptedCopy {
  /// The first and the last key of the objects that have not been handed over; nil when none are
  /// left.
  package func keysLeft() throws -> ClosedRange<Int64>? {
    let layout = try builder.sourceLayout(entity)
    let table = Identifier.quoted(layout.table, in: "source")
    let values: [Value] = [.integer(Int64(layout.number)), .behind(last)]
    return try builder.telling("cannot count the objects", "entity \(entity)") {
      let ends = try ["min", "max"].map { end in
        try builder.connection.integer(
          "SELECT \(end)(Z_PK) FROM \(table) WHERE Z_ENT = ?1 AND Z_PK > ?2", values)
      }
      guard let first = ends[0], let last = ends[1], first <= last else { return nil }
      return first...last
    }
  }

  /// The bytes of the source for each object of the entity; no object has more on average.
  package func mostBytesEach() throws -> Int {
    let numbers = try builder.telling("cannot read the source", builder.sourcePath) {
      try ["page_count", "page_size"].map {
        try builder.connection.integer("PRAGMA source.\($0)") ?? 0
      }
    }
    return Int(clamping: numbers[0] * numbers[1]) / max(1, total)
  }
}
