internal import Formats
internal import SQLite

/// The tables of the next version as views of the source, one for each.
///
/// "TEMP views are still allowed even if this option is off" (SQLite, SQLITE_DBCONFIG_ENABLE_VIEW):
/// they are the connection's own, and the file is not touched. Objects have their keys of the
/// source, so that failures name what is there now.
struct PreflightViews {
  /// The schema that they are in.
  static let database = "temp"
  /// The column with the number of the object's entity in the source.
  private static let origin = "source_entity"

  private let source: StoreSchema
  private let target: StoreSchema
  private let mapping: Mapping
  private let claims: PreflightClaims

  init(
    _ source: StoreSchema, _ target: StoreSchema, _ mapping: Mapping, _ claims: PreflightClaims
  ) {
    (self.source, self.target, self.mapping, self.claims) = (source, target, mapping, claims)
  }

  /// The rows of a mapping's objects.
  static func rows(
    of object: ObjectMapping, _ source: StoreSchema, _ layout: EntityLayout
  ) -> CheckedRows {
    let number = source.entity(named: object.source)?.number ?? 0
    return CheckedRows(
      table: Identifier.quoted(layout.table, in: database),
      condition: "s.Z_ENT = \(layout.number) AND s.\(origin) = \(number)", entity: object.source)
  }

  /// Makes all of them.
  func make(_ connection: Connection) throws {
    for table in target.tables {
      try connection.execute("CREATE TEMP VIEW \(Self.name(table.name)) AS \(try objects(table))")
    }
    for table in target.joinTables {
      try connection.execute("CREATE TEMP VIEW \(Self.name(table.name)) AS \(pairs(table))")
    }
  }

  /// Takes them away; those that are left go with the connection.
  func remove(_ connection: Connection) {
    for name in target.tables.map(\.name) + target.joinTables.map(\.name) {
      try? connection.execute("DROP VIEW IF EXISTS \(Self.name(name))")
    }
  }

  private static func name(_ table: String) -> String { Identifier.quoted(table, in: database) }
}

// Objects.
extension PreflightViews {
  private func objects(_ table: EntityTable) throws -> String {
    let objects = mapping.objects.filter { object in
      claims.leavesAlone(object, mapping)
        && target.entity(named: object.target)?.table == table.name
    }
    let parts = try objects.map { try rows(of: $0, table) }
    return parts.isEmpty ? nothing(table) : parts.joined(separator: " UNION ALL ")
  }

  private func rows(of object: ObjectMapping, _ table: EntityTable) throws -> String {
    let expressions = try RowExpressions(
      MappedSource(sourceSchema: source, targetSchema: target, mapping: mapping), object)
    let values = expressions.columns.map { ($0.column, expressions.plain($0.sql)) }
    let known = Dictionary(values + [("Z_PK", "s.Z_PK")]) { first, _ in first }
    let columns = table.columns.map { "\(known[$0.name] ?? "NULL") AS \(quoted($0.name))" }
    let number = expressions.source.number
    let conditions = ["s.Z_ENT = \(number)", expressions.conditions].compactMap(\.self)
    return """
      SELECT \(columns.joined(separator: ", ")), \(number) AS \(Self.origin) \
      FROM \(quoted(expressions.source.table, in: "main")) AS s \
      WHERE \(conditions.joined(separator: " AND "))
      """
  }

  private func nothing(_ table: EntityTable) -> String {
    let columns = table.columns.map { "NULL AS \(quoted($0.name))" } + ["0 AS \(Self.origin)"]
    return "SELECT \(columns.joined(separator: ", ")) WHERE 0"
  }

  private func quoted(_ name: String) -> String { Identifier.quoted(name) }

  private func quoted(_ name: String, in schema: String) -> String {
    Identifier.quoted(name, in: schema)
  }
}

// Pairs.
extension PreflightViews {
  private func pairs(_ table: JoinTable) -> String {
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
      FROM \(quoted(old.table, in: "main"))
      """
  }
}

extension RowExpressions {
  /// An expression with its parameters written out: "parameters prohibited in views" (SQLite).
  fileprivate func plain(_ sql: String) -> String {
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
