internal import SQLite

/// Sorts the objects of a store's database by why they are there.
struct SchemaSurvey {
  private let objects: [SchemaObject]
  /// The tables of pairs that are there.
  let joins: [String]
  private let entityTables: Set<String>
  private let ownTables: Set<String>
  private let triggerNames: Set<String>
  private let spatialTables: Set<String>
  private let indexNames: Set<String>
  private let indexKeys: Set<[String]>
  private let hasModel: Bool

  /// Sorts what is in `schema` by what the store's model explains, when the model is known.
  init(_ schema: Schema, expected: StoreSchema?, entityTables: [String]) {
    objects = schema.objects
    let tables = objects.filter { $0.kind == .table }.map(\.name)
    let pairs = expected.map { Set($0.joinTables.map(\.name)) }
    joins = tables.filter { pairs?.contains($0) ?? Self.looksLikeJoin($0) }.sorted()
    self.entityTables = Set(entityTables)
    ownTables = Self.fixedTables.union(entityTables).union(joins)
    hasModel = expected != nil
    triggerNames = Set(expected?.triggers.map(\.name) ?? [])
    // A spatial index is a virtual table, for which SQLite keeps three more.
    spatialTables = Set(
      (expected?.spatialIndexes ?? []).flatMap { index in
        ["", "_node", "_rowid", "_parent"].map { index.name + $0 }
      })
    indexNames = Set(expected?.indexes.map(\.name) ?? [])
    indexKeys = Set((expected?.indexes ?? []).map { [$0.table] + $0.parts.map(\.column) })
  }

  /// What every store has, and what history adds.
  private static let fixedTables: Set = [
    "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
  ]

  /// The tables of CloudKit mirroring.
  var cloudKit: [String] {
    objects.filter { $0.kind == .table && MirrorTables.has($0.name) }.map(\.name).sorted()
  }

  var triggers: [TriggerFacts] {
    objects.filter { $0.kind == .trigger }.map { trigger in
      let purpose: TriggerFacts.Purpose =
        trigger.name.hasPrefix("Z_RT_")
        ? .spatial : isExplained(trigger) ? .derived : .foreign
      return TriggerFacts(name: trigger.name, table: trigger.table, purpose: purpose)
    }.sorted { $0.name < $1.name }
  }

  /// What nothing explains.
  var foreign: [ForeignObject] {
    (objects.filter { !isExplained($0) }.map {
      ForeignObject(kind: $0.kind.words, name: $0.name, table: $0.table)
    } + constraints).sorted { ($0.table, $0.name) < ($1.table, $1.name) }
  }

  /// Core Data writes no CHECK clause into its tables.
  private var constraints: [ForeignObject] {
    objects.filter { $0.kind == .table && ownTables.contains($0.name) }.flatMap { table in
      CheckClauses.of(table.sql ?? "").map { clause in
        ForeignObject(
          kind: "constraint", name: String(clause.prefix(Self.longestClause)), table: table.name)
      }
    }
  }

  /// The rest of a clause is not quoted.
  private static let longestClause = 100

  private func isExplained(_ object: SchemaObject) -> Bool {
    // "sqlite_" is reserved: SQLite's own tables, and indexes of PRIMARY KEY and UNIQUE clauses.
    if object.name.hasPrefix("sqlite_") || MirrorTables.has(object.table) { return true }
    return switch object.kind {
    case .view: false
    case .table: ownTables.contains(object.name) || isSpatial(object.name)
    case .virtualTable: isSpatial(object.name)
    case .trigger:
      object.name.hasPrefix("Z_DA_") || object.name.hasPrefix("Z_RT_")
        || triggerNames.contains(object.name)
    case .index: isExplained(index: object)
    }
  }

  /// An index of Core Data's bookkeeping, or one that the model asks for, maybe under an old name.
  private func isExplained(index: SchemaObject) -> Bool {
    guard hasModel, entityTables.contains(index.table) else {
      return ownTables.contains(index.table)
    }
    let columns = index.sql.map(Self.indexedColumns) ?? []
    return indexNames.contains(index.name) || indexKeys.contains([index.table] + columns)
  }

  private func isSpatial(_ table: String) -> Bool {
    hasModel ? spatialTables.contains(table) : table.hasPrefix("Z_RT_")
  }

  /// `Z_<number><NAME>`.
  private static func looksLikeJoin(_ table: String) -> Bool {
    guard table.hasPrefix("Z_") else { return false }
    let rest = table.dropFirst(2).drop { $0.isASCII && $0.isNumber }
    return rest.count < table.count - 2 && !rest.isEmpty
  }

  /// The names in the first parentheses of CREATE INDEX, as Core Data writes them.
  private static func indexedColumns(_ sql: String) -> [String] {
    guard let open = sql.firstIndex(of: "("), let close = sql[open...].firstIndex(of: ")") else {
      return []
    }
    return sql[open..<close].dropFirst().split(separator: ",").map { part in
      String(part.split(separator: " ").first ?? "")
    }
  }
}

extension SchemaObject.Kind {
  /// The kind as messages name it.
  fileprivate var words: String { self == .virtualTable ? "virtual table" : rawValue }
}
