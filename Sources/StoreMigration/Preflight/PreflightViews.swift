internal import CoreDataStore
internal import Formats
internal import SQLite

/// The tables of the last version as views of the source, one for each; those of the versions
/// between as well, each over the one before.
///
/// Whatever names a view has SQLite go through all its columns. The rules of one entity are
/// therefore checked on rows with its own columns alone, and whether an object is there is asked of
/// a second view that has the keys: a family of a thousand entities has as many columns.
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

  /// What the name of a view ends with that has the keys and numbers of a table's objects alone;
  /// only a table of several entities has one.
  static let keys = " keys"

  /// The rows of the objects that went a way, with the columns of their entity.
  func rows(of path: ObjectPath) throws -> CheckedRows {
    let objects = try objects(path, behind: steps.count - 1)
    return CheckedRows(table: "(\(objects))", condition: "1", entity: path.source)
  }

  private func objects(_ path: ObjectPath, behind place: Int) throws -> String {
    let part = try part(path.steps[place], place)
    let columns = steps[place].columns[part.target.table]?.columns(of: part.target) ?? []
    let values = columns.map { column in
      let value = column.name == "Z_PK" ? "s.Z_PK" : part.values[column.name] ?? "NULL"
      return "\(value) AS \(quoted(column.name))"
    }
    let isFirst = place == 0
    let before = try isFirst ? "" : objects(path, behind: place - 1)
    let rows = isFirst ? name(part.source.table, before: place) : "(\(before))"
    let conditions = [isFirst ? part.source.isOwn("s") : nil, part.conditions].compactMap(\.self)
    return """
      SELECT \(values.joined(separator: ", ")) FROM \(rows) AS s \
      WHERE \(conditions.isEmpty ? "1" : conditions.joined(separator: " AND "))
      """
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
        let parts = try parts(of: table, place)
        try connection.execute(
          "CREATE TEMP VIEW \(name(table.name, behind: place)) AS \(objects(parts, table, place))")
        guard table.entities.count > 1 else { continue }
        let keys = name(table.name + Self.keys, behind: place)
        try connection.execute("CREATE TEMP VIEW \(keys) AS \(self.keys(parts, place))")
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
      let tables = target.tables.map(\.name) + target.joinTables.map(\.name)
      let shared = target.tables.filter { $0.entities.count > 1 }.map { $0.name + Self.keys }
      for name in tables + shared {
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
    let target: EntityLayout
    let conditions: String?
    /// By column; those that are missing are empty.
    let values: [String: String]
  }

  /// What becomes the rows of a table, by the table of the source.
  ///
  /// A view looks at each of these once: with one look for each entity a family would be looked at
  /// with all its columns as often as it has entities, wherever the view is used.
  private func parts(of table: EntityTable, _ place: Int) throws -> [[Part]] {
    let parts = try (steps[place].objects[table.name] ?? []).map { try part($0, place) }
    return Dictionary(grouping: parts, by: \.source.table).sorted { $0.key < $1.key }.map(\.value)
  }

  private func part(_ object: ObjectMapping, _ place: Int) throws -> Part {
    let expressions = try RowExpressions(steps[place].pair, object)
    let values = expressions.columns.map { ($0.column, expressions.plain($0.sql)) }
    return Part(
      source: expressions.source, target: expressions.target, conditions: expressions.conditions,
      values: Dictionary(values) { first, _ in first })
  }

  private func objects(_ parts: [[Part]], _ table: EntityTable, _ place: Int) -> String {
    let rows = parts.map { self.rows(of: $0, table, place) }
    return rows.isEmpty ? nothing(table) : rows.joined(separator: " UNION ALL ")
  }

  private func keys(_ parts: [[Part]], _ place: Int) -> String {
    let rows = parts.map { parts in
      // What the conditions are about only the view of all columns has.
      let needsAll = parts.contains { $0.conditions != nil || !$0.source.sharesTable }
      let suffix = place == 0 || needsAll ? "" : Self.keys
      return """
        SELECT s.Z_PK AS Z_PK, \(number(parts)) AS Z_ENT \
        FROM \(name(parts[0].source.table + suffix, before: place)) AS s \
        WHERE \(condition(parts, place))
        """
    }
    return rows.isEmpty
      ? "SELECT NULL AS Z_PK, NULL AS Z_ENT WHERE 0" : rows.joined(separator: " UNION ALL ")
  }

  private func rows(of parts: [Part], _ table: EntityTable, _ place: Int) -> String {
    var values: [String: [String: [Part]]] = [:]
    for part in parts {
      for (column, sql) in part.values {
        values[column, default: [:]][sql, default: []].append(part)
      }
    }
    let columns = table.columns.map { column in
      "\(value(of: column, values[column.name] ?? [:], of: parts)) AS \(quoted(column.name))"
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
  private func value(
    of column: StoreColumn, _ values: [String: [Part]], of parts: [Part]
  ) -> String {
    if column.role == .primaryKey { return "s.Z_PK" }
    if column.role == .entityNumber { return number(parts) }
    if let first = values.first, first.value.count == parts.count { return first.key }
    let cases = values.sorted { $0.key < $1.key }.map { "WHEN \(isOne(of: $1)) THEN \($0)" }
    return cases.isEmpty ? "NULL" : "CASE \(cases.joined(separator: " ")) END"
  }

  /// The number of an object's entity.
  private func number(_ parts: [Part]) -> String {
    guard parts.count > 1 else { return parts.first.map { "\($0.target.number)" } ?? "NULL" }
    let cases = Dictionary(grouping: parts) { $0.target.number - $0.source.number }
      .sorted { $0.key < $1.key }
      .map { step, parts in (isOne(of: parts), step == 0 ? "s.Z_ENT" : "s.Z_ENT + \(step)") }
    guard cases.count > 1 else { return cases.first?.1 ?? "NULL" }
    return "CASE \(cases.map { "WHEN \($0) THEN \($1) " }.joined())END"
  }

  private func condition(_ parts: [Part], _ place: Int) -> String {
    guard parts.count > 1 else {
      return parts.map { part in
        let own = place == 0 ? part.source.isOwn("s") : "s.Z_ENT = \(part.source.number)"
        return [own, part.conditions].compactMap(\.self).joined(separator: " AND ")
      }.joined()
    }
    let all = "(\(isOne(of: parts)))"
    let cases = parts.compactMap { part in
      part.conditions.map { "WHEN \(part.source.number) THEN \($0)" }
    }
    return cases.isEmpty
      ? all : "\(all) AND CASE s.Z_ENT \(cases.joined(separator: " ")) ELSE 1 END"
  }

  /// Whether an object is of one of these entities: numbers that follow one another make one case.
  private func isOne(of parts: [Part]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in Set(parts.map(\.source.number)).sorted() {
      if let last = runs.last, last.upperBound == number - 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    let single = runs.filter { $0.count == 1 }.map { "\($0.lowerBound)" }
    let list = single.isEmpty ? [] : ["s.Z_ENT IN (\(single.joined(separator: ", ")))"]
    let others = runs.filter { $0.count > 1 }.map {
      "s.Z_ENT BETWEEN \($0.lowerBound) AND \($0.upperBound)"
    }
    return ConditionTranslation.joined((list + others)[...], by: "OR") ?? "0"
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
