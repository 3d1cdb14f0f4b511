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
      condition: "s.Z_ENT = \(layout.number) AND s.\(origin) = \(number)", entity: path.source)
  }

  /// The rows of the objects that go a way, as one of its steps reads them.
  func rows(of path: ObjectPath, before place: Int) throws -> CheckedRows {
    let expressions = try RowExpressions(steps[place].pair, path.steps[place])
    let number = steps.first?.source.entity(named: path.source)?.number ?? 0
    let own =
      place == 0
      ? expressions.source.isOwn("s")
      : "s.Z_ENT = \(expressions.source.number) AND s.\(Self.origin) = \(number)"
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
  private func objects(_ table: EntityTable, _ place: Int) throws -> String {
    let objects = steps[place].objects[table.name] ?? []
    let parts = try objects.map { try rows(of: $0, table, place) }
    return parts.isEmpty ? nothing(table) : parts.joined(separator: " UNION ALL ")
  }

  private func rows(
    of object: ObjectMapping, _ table: EntityTable, _ place: Int
  ) throws -> String {
    let expressions = try RowExpressions(steps[place].pair, object)
    let values = expressions.columns.map { ($0.column, expressions.plain($0.sql)) }
    let known = Dictionary(values + [("Z_PK", "s.Z_PK")]) { first, _ in first }
    let columns = table.columns.map { "\(known[$0.name] ?? "NULL") AS \(quoted($0.name))" }
    let number = expressions.source.number
    let origin = place == 0 ? "\(number)" : "s.\(Self.origin)"
    let own = place == 0 ? expressions.source.isOwn("s") : "s.Z_ENT = \(number)"
    let conditions = [own, expressions.conditions].compactMap(\.self)
    return """
      SELECT \(columns.joined(separator: ", ")), \(origin) AS \(Self.origin) \
      FROM \(name(expressions.source.table, before: place)) AS s \
      WHERE \(conditions.joined(separator: " AND "))
      """
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
