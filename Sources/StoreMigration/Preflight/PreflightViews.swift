internal import CoreDataStore
internal import Formats
internal import SQLite

/// The tables of the last version as views of the source, one for each; those of the versions
/// between as well, each over the one before.
///
/// "TEMP views are still allowed even if this option is off" (SQLite, SQLITE_DBCONFIG_ENABLE_VIEW):
/// they are the connection's own, and the file is not touched. Objects have their keys of the
/// source, so that failures name what is there now.
struct PreflightViews {
  /// The schema that they are in.
  static let database = "temp"
  /// The column with the number of the object's entity in the source.
  private static let origin = "source_entity"

  let steps: [PreflightStep]

  init(_ steps: [PreflightStep]) { self.steps = steps }

  /// The rows of the objects that went a way: `source` is the first store's schema.
  static func rows(
    of path: ObjectPath, _ source: StoreSchema, _ layout: EntityLayout
  ) -> CheckedRows {
    let number = source.entity(named: path.source)?.number ?? 0
    return CheckedRows(
      table: Identifier.quoted(layout.table, in: database),
      condition: "s.\(origin) = \(number) AND s.Z_ENT = \(layout.number)", entity: path.source)
  }

  /// The rows of the objects that go a way, as one of its steps reads them.
  func rows(of path: ObjectPath, before place: Int) throws -> CheckedRows {
    let expressions = try RowExpressions(steps[place].pair, path.steps[place])
    let number = steps.first?.source.entity(named: path.source)?.number ?? 0
    let own =
      place == 0
      ? expressions.source.isOwn("s")
      : "s.\(Self.origin) = \(number) AND s.Z_ENT = \(expressions.source.number)"
    return CheckedRows(
      table: name(expressions.source.table, before: place),
      condition: [own, expressions.conditions].compactMap(\.self).joined(separator: " AND "),
      entity: path.source)
  }

  /// Makes all of them.
  func make(_ connection: Connection) throws {
    for place in steps.indices {
      let step = steps[place]
      for table in step.target.tables {
        try connection.execute(
          "CREATE TEMP VIEW \(name(table.name, behind: place)) AS \(try objects(table, place))")
      }
      for table in step.target.joinTables {
        try connection.execute(
          "CREATE TEMP VIEW \(name(table.name, behind: place)) AS \(pairs(table, place))")
      }
    }
  }

  /// Takes them away; those that are left go with the connection.
  func remove(_ connection: Connection) {
    for place in steps.indices {
      let target = steps[place].target
      for name in target.tables.map(\.name) + target.joinTables.map(\.name) {
        try? connection.execute("DROP VIEW IF EXISTS \(self.name(name, behind: place))")
      }
    }
  }

  /// A table of the version that a step makes; those of the last have their own names, the others
  /// such as no table has.
  private func name(_ table: String, behind place: Int) -> String {
    let isLast = place == steps.count - 1
    return Identifier.quoted(isLast ? table : "\(place) \(table)", in: Self.database)
  }

  /// A table that a step reads.
  private func name(_ table: String, before place: Int) -> String {
    place == 0
      ? Identifier.quoted(table, in: "main") : name(table, behind: place - 1)
  }
}

// Objects.
extension PreflightViews {
  /// What becomes the rows of a table, of one entity of the source.
  private struct Part {
    let source: EntityLayout
    let conditions: String?
    /// By column; those that are missing are empty.
    let values: [String: String]
  }

  private func objects(_ table: EntityTable, _ place: Int) throws -> String {
    let parts = try (steps[place].objects[table.name] ?? []).map { try part($0, place) }
    // One look at each table of the source: with one for each entity a family would be looked at
    // with all its columns as often as it has entities, wherever the view is used.
    let tables = Dictionary(grouping: parts, by: \.source.table)
    let rows = tables.sorted { $0.key < $1.key }.map { self.rows(of: $1, table, place) }
    return rows.isEmpty ? nothing(table) : rows.joined(separator: " UNION ALL ")
  }

  private func part(_ object: ObjectMapping, _ place: Int) throws -> Part {
    let expressions = try RowExpressions(steps[place].pair, object)
    let values = expressions.columns.map { ($0.column, expressions.plain($0.sql)) }
    return Part(
      source: expressions.source, conditions: expressions.conditions,
      values: Dictionary(values) { first, _ in first })
  }

  private func rows(of parts: [Part], _ table: EntityTable, _ place: Int) -> String {
    let columns = table.columns.map { column in
      let sql = column.name == "Z_PK" ? "s.Z_PK" : value(of: column.name, parts)
      return "\(sql) AS \(quoted(column.name))"
    }
    let origin = place > 0 ? "s.\(Self.origin)" : parts.count > 1 ? "s.Z_ENT" : nil
    let number = origin ?? parts.first.map { "\($0.source.number)" } ?? "0"
    return """
      SELECT \(columns.joined(separator: ", ")), \(number) AS \(Self.origin) \
      FROM \(name(parts[0].source.table, before: place)) AS s \
      WHERE \(condition(parts, place))
      """
  }

  /// The value of a column: of each part its own, where they are not the same.
  private func value(of column: String, _ parts: [Part]) -> String {
    let areSame = parts.allSatisfy { $0.values["Z_ENT"] == "\($0.source.number)" }
    if column == "Z_ENT", parts.count > 1, areSame { return "s.Z_ENT" }
    let groups = Dictionary(grouping: parts.filter { $0.values[column] != nil }) {
      $0.values[column] ?? ""
    }
    if let first = groups.first, first.value.count == parts.count { return first.key }
    let cases = groups.sorted { $0.key < $1.key }.map { sql, parts in
      "WHEN s.Z_ENT IN (\(numbers(parts))) THEN \(sql)"
    }
    return cases.isEmpty ? "NULL" : "CASE \(cases.joined(separator: " ")) END"
  }

  private func condition(_ parts: [Part], _ place: Int) -> String {
    guard parts.count > 1 else {
      return parts.map { part in
        let own = place == 0 ? part.source.isOwn("s") : "s.Z_ENT = \(part.source.number)"
        return [own, part.conditions].compactMap(\.self).joined(separator: " AND ")
      }.joined()
    }
    let all = "s.Z_ENT IN (\(numbers(parts)))"
    let cases = parts.compactMap { part in
      part.conditions.map { "WHEN \(part.source.number) THEN \($0)" }
    }
    return cases.isEmpty
      ? all : "\(all) AND CASE s.Z_ENT \(cases.joined(separator: " ")) ELSE 1 END"
  }

  private func numbers(_ parts: [Part]) -> String {
    parts.map { "\($0.source.number)" }.joined(separator: ", ")
  }

  private func nothing(_ table: EntityTable) -> String {
    let columns = table.columns.map { "NULL AS \(quoted($0.name))" } + ["0 AS \(Self.origin)"]
    return "SELECT \(columns.joined(separator: ", ")) WHERE 0"
  }

  private func quoted(_ name: String) -> String { Identifier.quoted(name) }
}

// Pairs.
extension PreflightViews {
  private func pairs(_ table: JoinTable, _ place: Int) -> String {
    let (mapping, source) = (steps[place].mapping, steps[place].source)
    let (first, second) = (quoted(table.first), quoted(table.second))
    let links = mapping.links(of: table.master)
    let names = links.compactMap { link in
      link.forward.target == table.master ? link.forward.source : link.backward.source
    }
    let storages = names.flatMap { name in source.joinTables.compactMap { $0.storage(of: name) } }
    guard let old = storages.first else {
      return "SELECT NULL AS \(first), NULL AS \(second) WHERE 0"
    }
    return """
      SELECT \(quoted(old.source)) AS \(first), \(quoted(old.destination)) AS \(second) \
      FROM \(name(old.table, before: place))
      """
  }
}

extension RowExpressions {
  /// An expression with its parameters written out: "parameters prohibited in views" (SQLite).
  func plain(_ sql: String) -> String {
    // From the last one, so that ?1 is not found in ?12.
    bindings.indices.reversed().reduce(sql) { text, place in
      text.replacing("?\(place + 1)", with: bindings[place].literal)
    }
  }
}

extension Value {
  /// The value as SQL says it.
  fileprivate var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "CAST(x'\(Hex.encode(text.bytes))' AS TEXT)"
    case .blob(let bytes): "x'\(Hex.encode(bytes))'"
    }
  }
}
