internal import SQLite

extension Store {
  /// Everything that can be said of the store, its version being known.
  ///
  /// - Throws: ``Failure`` when the store's tables are not what Core Data makes.
  package func facts(_ recognition: ModelRecognition) throws -> StoreFacts {
    try reading("cannot look at the store", limit: .seconds(86_400)) {
      try StoreSurvey(self, recognition).run()
    }
  }
}

/// Collects the facts of a store.
private struct StoreSurvey {
  private let store: Store
  private let recognition: ModelRecognition
  private let expected: StoreSchema?
  private let keys: PrimaryKeys
  private let places: EntityPlaces
  private let objects: SchemaSurvey
  private var warnings: [StoreWarning]

  init(_ store: Store, _ recognition: ModelRecognition) throws {
    self.store = store
    self.recognition = recognition
    warnings = Self.warnings(store, recognition)
    keys = try store.primaryKeys()
    do {
      expected = try recognition.model.map(store.expectedSchema)
    } catch let error as Failure where error.kind == .unusableModel {
      expected = nil
      warnings.append(StoreWarning(error.subject, error.why))
    }
    places = try store.entityPlaces(expected, keys)
    objects = SchemaSurvey(store.schema, expected: expected, entityTables: places.tables)
  }

  func run() throws -> StoreFacts {
    let counts = try places.tables.map { try count($0) }
    let joins = try objects.joins.map(rows)
    let totals = counts.map { ($0.table, $0.byEntity.values.reduce(0, +)) }
    let sizes = store.tableSizes(rows: Dictionary(totals) { first, _ in first })
    let external =
      try store.isBrief
      ? nil : expected.map { try store.externalFiles(externalColumns(of: $0, counts)) }
    let foreignColumns = counts.flatMap(foreignColumns)
    let mirror: MirrorFacts? = store.isBrief ? nil : try .read(from: store, places)
    return StoreFacts(
      files: store.files,
      pageSize: Int(try store.connection.integer("PRAGMA page_size") ?? 0),
      journalMode: try journalMode,
      isClone: store.isClone, metadata: store.metadata, recognition: recognition,
      entities: counts.flatMap { entities($0, sizes) }.sorted { $0.number < $1.number },
      areBytesEstimated: sizes.isEstimate, joins: joins, externalFiles: external,
      history: try history(), cloudKit: try objects.cloudKit.map(rows),
      mirror: mirror,
      triggers: objects.triggers,
      foreign: objects.foreign + foreignColumns,
      warnings: warnings + deferred(counts) + mirrored(mirror) + composites() + places.warnings
        + counts.flatMap(\.warnings),
      isBrief: store.isBrief)
  }

  /// A store that is read where it is does not say so to SQLite.
  private var journalMode: String {
    get throws {
      if store.connection.file?.header.isWAL == true { return "wal" }
      return try store.connection.string("PRAGMA journal_mode") ?? ""
    }
  }
}

extension StoreSurvey {
  /// The rows of one entity table.
  private struct Count {
    let table: String
    var columns: Set<String> = []
    var byEntity: [Int64: Int64] = [:]
    var strays: Int64 = 0
    var isEstimate = false
    var warnings: [StoreWarning] = []
  }

  private func count(_ table: String) throws -> Count {
    var count = Count(table: table)
    count.columns = Set(try store.columns(of: table).map(\.name))
    try store.tables.require(["Z_PK", "Z_ENT"], of: table)
    let name = Identifier.quoted(table)
    try store.reading("cannot count the rows", of: table) {
      let numbers = places.entities(in: table).map(\.number)
      let columns = columns(of: count)
      let known = store.walk?.rows(of: table).flatMap { RowCounts($0, without: columns) }
      let exact =
        try known
        ?? within {
          try store.connection.rowCounts(
            of: table, expecting: numbers, meeting: columns.map(\.condition))
        }
      if let exact {
        count.byEntity = exact.byEntity
      } else {
        count.byEntity = try RowEstimate(store.connection, of: table).byEntity
        count.isEstimate = true
      }
      assign(&count)
      let highest = try store.connection.integer("SELECT max(Z_PK) FROM \(name)") ?? 0
      count.warnings = self.warnings(of: count, highest: highest)
      guard let exact, exact.meeting > 0 else { return }
      count.warnings += try columns.compactMap { try $0.warning(of: table, store.connection) }
    }
    return count
  }

  /// The columns of attributes that the table has.
  private func columns(of count: Count) -> [UnexpectedColumn] {
    guard let expected, let table = expected.table(named: count.table) else { return [] }
    return table.columns.filter { count.columns.contains($0.name) }
      .compactMap { UnexpectedColumn($0, in: expected) }
  }

  /// Finds the rows of no entity; where there is only one, they are its own.
  private func assign(_ count: inout Count) {
    let members = places.entities(in: count.table)
    let known = Set(members.filter { !isAbstract($0.name) }.map(\.number))
    count.strays = count.byEntity.filter { !known.contains($0.key) }.values.reduce(0, +)
    guard members.count == 1, let own = known.first else { return }
    count.byEntity = [own: count.byEntity.values.reduce(0, +)]
  }

  /// Reads all of a table; nil where a store that is read in part has no time for that.
  private func within<Result>(_ body: () throws -> Result) throws -> Result? {
    guard let budget = store.budget else { return try body() }
    return try budget.within(store.connection, body)
  }

  private func warnings(of count: Count, highest: Int64) -> [StoreWarning] {
    var warnings = strays(of: count)
    let root = places.entities(in: count.table).first
    let maximum =
      root.flatMap { keys.entry(named: $0.name) ?? keys.entry(number: $0.number) }?
      .maximum ?? 0
    if maximum < highest {
      warnings.append(
        StoreWarning(
          count.table,
          "Its highest Z_PK is \(highest), above the \(maximum) that Z_PRIMARYKEY says was given."))
    }
    return warnings + missingColumns(count)
  }

  /// What is said of rows that name no entity.
  private func strays(of count: Count) -> [StoreWarning] {
    guard count.strays > 0 else { return [] }
    let members = places.entities(in: count.table)
    let about = count.isEstimate ? "about " : ""
    guard members.count == 1, let own = members.first, !isAbstract(own.name) else {
      return [
        StoreWarning(
          count.table,
          "\(about)\(count.strays) of its rows name no entity in Z_ENT that has objects in this "
            + "table: Core Data does not find them, and a migration cannot carry them.")
      ]
    }
    return [
      StoreWarning(
        count.table,
        "\(about)\(count.strays) of its rows have another Z_ENT than \(own.name), \(own.number). "
          + "Core Data does not look at Z_ENT where a table has one entity: they are carried as "
          + "objects of \(own.name).")
    ]
  }

  private func isAbstract(_ entity: String) -> Bool {
    expected?.entity(named: entity)?.isAbstract == true
  }

  private func missingColumns(_ count: Count) -> [StoreWarning] {
    let columns = expected?.table(named: count.table)?.columns ?? []
    return columns.filter { !count.columns.contains($0.name) }.map { column in
      let property = column.property.map { " for \($0)" } ?? ""
      return StoreWarning(count.table, "It has no column \(column.name)\(property).")
    }
  }

  private func foreignColumns(_ count: Count) -> [ForeignObject] {
    guard let table = expected?.table(named: count.table) else { return [] }
    let isDeferred = store.metadata.hasDeferredMigration
    return count.columns.filter {
      table.column(named: $0) == nil && !(isDeferred && DeferredColumn.has($0))
    }.sorted().map { ForeignObject(kind: "column", name: $0, table: count.table) }
  }

  /// The warning about columns whose removal Core Data deferred: "the column is renamed and
  /// stays", so that the store fits the new model already.
  private func deferred(_ counts: [Count]) -> [StoreWarning] {
    guard store.metadata.hasDeferredMigration else { return [] }
    let columns = counts.flatMap { count in
      count.columns.filter(DeferredColumn.has).sorted().map {
        "\(count.table).\(DeferredColumn.name(of: $0))"
      }
    }
    let rest = columns.isEmpty ? "" : " (\(columns.joined(separator: ", ")))"
    return [
      StoreWarning(
        "metadata",
        "Core Data deferred part of a lightweight migration: columns that the model no longer "
          + "has\(rest) wait to be removed. They are ignored, and a run does not copy them. "
          + Self.unseen)
    ]
  }

  /// The warnings about a mirror, and about deletions that the server does not know yet.
  private func mirrored(_ mirror: MirrorFacts?) -> [StoreWarning] {
    guard let mirror else { return [] }
    var words = ["The store is mirrored to CloudKit. \(Self.unseen)"]
    if mirror.pendingDeletes > 0 {
      let (objects, them) =
        mirror.pendingDeletes == 1
        ? ("1 object was", "it") : ("\(mirror.pendingDeletes) objects were", "them")
      words.append(
        "\(objects) deleted here but not yet on the server: after a reset the next sync brings "
          + "\(them) back.")
    }
    return (words + mirror.misfits.map { "\($0)." }).map { StoreWarning("CloudKit", $0) }
  }

  private func composites() -> [StoreWarning] {
    let entities = expected?.model.entities ?? []
    let composites = entities.flatMap { entity in
      entity.composites.map { "\(entity.name).\($0.name)" }
    }
    let codables = entities.flatMap { entity in
      entity.attributes.filter { $0.type == .codable }.map { "\(entity.name).\($0.name)" }
    }
    return [("composite", composites), ("Codable", codables)].filter { !$0.1.isEmpty }.map {
      let list = $1.sorted().joined(separator: ", ")
      return StoreWarning("model", "It has \($0) attributes (\(list)). \(Self.unseen)")
    }
  }

  /// The end of each warning about what has not yet been seen in a store of an application.
  private static let unseen =
    "Support for this was built from documentation alone; the page 'Stores not seen yet' says what "
    + "to send."

  private func entities(_ count: Count, _ sizes: TableSizes) -> [EntityFacts] {
    let total = count.byEntity.values.reduce(0, +)
    let bytes = sizes.bytes[count.table] ?? 0
    return places.entities(in: count.table).map { place in
      let rows = count.byEntity[place.number] ?? 0
      let share = total == 0 ? 0 : Double(rows) / Double(total)
      return EntityFacts(
        name: place.name, number: place.number, parent: place.parent,
        parentNumber: place.parentNumber, table: count.table, rows: rows,
        isEstimate: count.isEstimate,
        strays: place.parentNumber == 0 ? count.strays : 0, bytes: Int64(Double(bytes) * share),
        hash: store.metadata.hashes[place.name])
    }
  }

  private func rows(_ table: String) throws -> TableFacts {
    _ = try store.columns(of: table)
    if let rows = store.walk?.rows(of: table) {
      return TableFacts(table: table, rows: Int64(rows.count))
    }
    return try store.reading("cannot count the rows", of: table) {
      let name = Identifier.quoted(table)
      // SQLite counts all rows in one step, between which it asks nothing: where there is little
      // time, it goes from row to row.
      let all = store.isBrief ? "sum(1)" : "count(*)"
      let count = try within { try store.connection.integer("SELECT \(all) FROM \(name)") }
      // Where there is no time to count, the last row's number has to do: rowids are given in
      // order, and those of removed rows are missing.
      let rows = try count ?? store.connection.integer("SELECT max(rowid) FROM \(name)")
      return TableFacts(table: table, rows: rows ?? 0)
    }
  }

  private func history() throws -> HistoryFacts? {
    let tables = ["ATRANSACTION", "ACHANGE"]
    guard tables.allSatisfy({ store.schema.table($0) != nil }) else { return nil }
    return HistoryFacts(
      transactions: try rows("ATRANSACTION").rows, changes: try rows("ACHANGE").rows)
  }

  /// The columns whose attribute may keep its values in files, as far as they are there.
  private func externalColumns(of schema: StoreSchema, _ counts: [Count]) -> [ExternalColumn] {
    let found = Dictionary(counts.map { ($0.table, $0.columns) }) { first, _ in first }
    return schema.tables.flatMap { table in
      table.columns.compactMap { column in
        guard case .attribute(let property) = column.role,
          found[table.name]?.contains(column.name) == true,
          let entity = schema.model.entity(named: property.entity),
          entity.attribute(named: property.property)?.usesExternalStorage == true
        else { return nil }
        return ExternalColumn(
          table: table.name, column: column.name, attribute: "\(property)")
      }
    }
  }

  private static func warnings(_ store: Store, _ recognition: ModelRecognition) -> [StoreWarning] {
    var warnings: [StoreWarning] = []
    if store.files.otherNames > 0 {
      warnings.append(
        StoreWarning(
          store.files.name,
          "The file has \(store.files.otherNamesText), for which its -wal is not found."))
    }
    if let problem = recognition.cacheProblem {
      warnings.append(StoreWarning("model cache", problem))
    }
    if !store.metadata.ubiquityKeys.isEmpty {
      warnings.append(StoreWarning("metadata", "The store was once kept in iCloud."))
    }
    return warnings
  }
}

/// A column whose removal Core Data deferred: `_DEFERRED_<uuid>__<old column>`.
private enum DeferredColumn {
  private static let prefix = "_DEFERRED_"

  static func has(_ column: String) -> Bool { column.hasPrefix(prefix) }

  /// The column's old name.
  static func name(of column: String) -> String {
    column.firstRange(of: "__").map { String(column[$0.upperBound...]) } ?? column
  }
}

extension Store {
  /// Where the objects of each entity are: by the store's model, or by Z_PRIMARYKEY alone.
  package func entityPlaces(
    _ expected: StoreSchema?, _ keys: PrimaryKeys
  ) throws -> EntityPlaces {
    guard let expected else { return try EntityPlaces(keys, path: files.path) }
    return try EntityPlaces(expected, keys, path: files.path)
  }

  /// What the store's model explains of the store.
  package func expectedSchema(of model: Model) throws -> StoreSchema {
    let tables = schema.objects.filter { $0.kind == .table }.map(\.name)
    let masters = try StoreSchema.masters(of: model, among: tables)
    func expected(_ pairs: [String: [String]]) throws -> StoreSchema {
      try StoreSchema(
        of: model, framework: metadata.framework.map { FrameworkVersion($0) } ?? .newest,
        masters: masters, pairs: pairs)
    }
    let plain = try expected([:])
    let names = Set(tables).intersection(plain.joinTables.map(\.name))
    let pairs = try names.map { ($0, try columns(of: $0).map(\.name)) }
    let strange = plain.joinTables.contains { table in
      pairs.contains { $0.0 == table.name && !Set(table.columns).isSubset(of: $0.1) }
    }
    return strange ? try expected(Dictionary(uniqueKeysWithValues: pairs)) : plain
  }
}
