package import CoreDataStore
package import SQLite
package import StoreReplacement

/// A small store with some objects of each entity of another one, and with all that these lead to.
package struct SampledStore {
  let connection: Connection
  let schema: StoreSchema

  /// Makes the store; the other one is only read, in one transaction.
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - source: The other store, which no process writes, or which can be read while one does.
  ///   - schema: The schema of both stores.
  ///   - count: How many objects of each entity are wanted; those they lead to come on top.
  ///   - wait: How long to wait for another process that writes.
  ///   - mode: How it is read; without a lock nothing is left next to it.
  /// - Returns: How many links were cut because they led ever further.
  /// - Throws: ``Failure``.
  @discardableResult package static func make(
    at path: String, of source: String, schema: StoreSchema, objects count: Int,
    wait: Duration = .zero, mode: Connection.AttachMode = .readOnly
  ) throws -> Int {
    try make(at: path, of: source, schema: schema, wait: wait, mode: mode) { sample in
      for table in schema.tables { try sample.bring(count, of: table) }
      for table in schema.joinTables { try sample.follow(table, count) }
    }
  }

  /// Makes the store of what `choose` brings, and of all that it leads to.
  ///
  /// - Returns: How many links were cut.
  @discardableResult static func make(
    at path: String, of source: String, schema: StoreSchema, wait: Duration = .zero,
    mode: Connection.AttachMode = .readOnly, _ choose: (SampledStore) throws -> Void
  ) throws -> Int {
    let store = try NewStore(
      at: path, schema: schema,
      contents: try NewStoreContents(like: source, to: schema.model, cache: .none, isBrief: true),
      durability: .off)
    do {
      try store.make(.tables)
      try store.connection.execute(
        "CREATE TEMP TABLE pipeline_sample (key INTEGER PRIMARY KEY) WITHOUT ROWID")
      store.connection.wait(forLocks: wait)
      try store.connection.attach(source, as: "source", mode)
      let cut = try SampledStore(connection: store.connection, schema: schema).fill(choose)
      try store.close()
      return cut
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot take a sample of the store", subject: source)
    }
  }

  /// Objects that lead to the next, that one to its next and so on, are followed so many times.
  private static let mostPasses = 64

  private func fill(_ choose: (SampledStore) throws -> Void) throws -> Int {
    try connection.transaction {
      try choose(self)
      // Each pass brings what the last one's objects lead to, until they lead to nothing new.
      var passes = 0
      let links = try links
      while try passes < Self.mostPasses && follow(links) > 0 { passes += 1 }
      let cut = passes < Self.mostPasses ? 0 : try cutLinks()
      for table in schema.joinTables { try copy(table) }
      try connection.run(
        """
        UPDATE main.Z_PRIMARYKEY AS t SET Z_MAX = s.Z_MAX FROM source.Z_PRIMARYKEY AS s
        WHERE s.Z_ENT = t.Z_ENT
        """, [])
      // A run reads the sample entity by entity.
      for index in schema.indexes where index.purpose == .entityNumber {
        try connection.execute(index.sql)
      }
      return cut
    }
  }

  /// Brings so many objects of each entity of a table.
  ///
  /// They come in one statement: it names each column of the table, and a family of a thousand
  /// entities has as many columns.
  private func bring(_ count: Int, of table: EntityTable) throws {
    for layout in table.entities.compactMap(schema.entity(named:)) where !layout.isAbstract {
      try connection.run(Self.noting(SampledKeys(count, of: layout, in: "source").sql), [])
    }
    try connection.run(copying(table, where: Self.isNoted), [])
    try connection.execute(Self.forgetting)
  }

  /// The statement that notes the keys that a query gives.
  ///
  /// No key, which a query may give as well, is ignored: "NOT NULL is enforced on every column of
  /// the PRIMARY KEY in a WITHOUT ROWID table" (SQLite, WITHOUT ROWID).
  private static func noting(_ keys: String) -> String {
    "INSERT OR IGNORE INTO temp.pipeline_sample \(keys)"
  }

  private static let isNoted = "Z_PK IN (SELECT key FROM temp.pipeline_sample)"
  private static let forgetting = "DELETE FROM temp.pipeline_sample"

  /// Brings the objects of a table that meet a condition.
  func copy(_ name: String, where condition: String) throws {
    guard let table = schema.table(named: name) else { return }
    try connection.run(copying(table, where: condition), [])
  }

  private func copying(_ table: EntityTable, where condition: String) -> String {
    let own = schema.entity(named: table.root).flatMap { $0.isAlone ? "\($0.number)" : nil }
    let values = table.columns.map { column in
      column.role == .entityNumber ? own ?? column.name : Identifier.quoted(column.name)
    }.joined(separator: ", ")
    return """
      INSERT OR IGNORE INTO main.\(Identifier.quoted(table.name))
      SELECT \(values) FROM \(Identifier.quoted(table.name, in: "source")) WHERE \(condition)
      """
  }

  /// What notes the keys in a column that lead to objects which are not there yet, and what brings
  /// these.
  private typealias Link = (noting: Statement, bringing: Statement)

  /// The columns of keys.
  ///
  /// What brings objects names each column of their table: it is compiled once for all links that
  /// lead there.
  private var links: [Link] {
    get throws {
      var bringing: [String: Statement] = [:]
      var links: [Link] = []
      for table in schema.tables {
        let name = Identifier.quoted(table.name, in: "main")
        for column in table.columns {
          guard let other = destination(of: column).flatMap({ schema.table(named: $0) }) else {
            continue
          }
          let there = "SELECT Z_PK FROM \(Identifier.quoted(other.name, in: "main"))"
          let key = Identifier.quoted(column.name)
          let noting = try connection.prepare(
            Self.noting("SELECT \(key) FROM \(name) WHERE \(key) NOT IN (\(there))"))
          let known = bringing[other.name]
          let bring = try known ?? connection.prepare(copying(other, where: Self.isNoted))
          bringing[other.name] = bring
          links.append((noting: noting, bringing: bring))
        }
      }
      return links
    }
  }

  /// Brings the objects that links in the rows there are lead to; gives back how many are new.
  ///
  /// One column after the other: a chain that goes through several is followed further.
  private func follow(_ links: [Link]) throws -> Int {
    var count = 0
    for link in links where try link.noting.run() > 0 {
      count += try link.bringing.run()
      try connection.execute(Self.forgetting)
    }
    return count
  }

  /// Empties the links to objects that are not there though the store has them.
  ///
  /// - Returns: How many there were.
  private func cutLinks() throws -> Int {
    var count = 0
    for table in schema.tables {
      for column in table.columns {
        guard let destination = destination(of: column).map({ Identifier.quoted($0) }) else {
          continue
        }
        let (name, key) = (Identifier.quoted(table.name), Identifier.quoted(column.name))
        count += try connection.run(
          """
          UPDATE main.\(name) SET \(key) = NULL WHERE \(key) IS NOT NULL
          AND \(key) NOT IN (SELECT Z_PK FROM main.\(destination))
          AND \(key) IN (SELECT Z_PK FROM source.\(destination))
          """, [])
      }
    }
    return count
  }

  /// Brings some of the objects that pairs of a table lead to from those that are there, both ways.
  ///
  /// Not all of them: an object that nearly all others are paired with would bring the whole store.
  private func follow(_ table: JoinTable, _ count: Int) throws {
    guard let (first, second) = schema.ends(of: table) else { return }
    let pairs = Identifier.quoted(table.name, in: "source")
    for (own, home, other, far) in [
      (table.first, first, table.second, second), (table.second, second, table.first, first),
    ] {
      let (own, other) = (Identifier.quoted(own), Identifier.quoted(other))
      try copy(
        far,
        where: """
          Z_PK IN (SELECT \(other) FROM \(pairs) WHERE \(own) IN
          (SELECT Z_PK FROM main.\(Identifier.quoted(home))) LIMIT \(count * Self.pairsPerObject))
          """)
    }
  }

  private static let pairsPerObject = 4

  /// The table that the keys of a column are of; nil for other columns.
  private func destination(of column: StoreColumn) -> String? {
    switch column.role {
    case .toOne(let reference):
      schema.model.relationship(reference.property, ofEntity: reference.entity)
        .flatMap { schema.entity(named: $0.destination) }?.table
    case .owner(let reference): schema.entity(named: reference.entity)?.table
    default: nil
    }
  }

  /// The pairs of which both objects are there.
  private func copy(_ table: JoinTable) throws {
    guard let (first, second) = schema.ends(of: table) else { return }
    let columns = table.columns.map { Identifier.quoted($0) }.joined(separator: ", ")
    let name = Identifier.quoted(table.name)
    try connection.run(
      """
      INSERT OR IGNORE INTO main.\(name) (\(columns))
      SELECT \(columns) FROM \(Identifier.quoted(table.name, in: "source"))
      WHERE \(Identifier.quoted(table.first)) IN (SELECT Z_PK FROM main.\(Identifier.quoted(first)))
      AND \(Identifier.quoted(table.second)) IN (SELECT Z_PK FROM main.\(Identifier.quoted(second)))
      """, [])
  }
}

extension SourceSnapshot {
  /// Takes some objects of each entity, and what these lead to, in place of the whole store.
  ///
  /// - Parameters:
  ///   - folder: The run's folder.
  ///   - schema: The store's tables.
  ///   - count: How many objects of each entity are wanted.
  ///   - wait: How long to wait for another process that writes.
  ///   - copiesBelow: From which size on a store is read where it is, and not copied whole.
  /// - Returns: The copy, and how many links were cut because they led on and on.
  /// - Throws: ``Failure`` of kind `busy` when another process writes all the time.
  package static func sampled(
    _ folder: WorkFolder, _ schema: StoreSchema, objects count: Int, wait: Duration = .seconds(5),
    copiesBelow: Int64 = Store.copiesBelow
  ) throws -> (snapshot: SourceSnapshot, cutLinks: Int) {
    let (snapshot, cutLinks) = try part(of: folder, copiesBelow: copiesBelow) { path, isStill in
      try SampledStore.make(
        at: folder.sourcePath, of: path, schema: schema, objects: count, wait: wait,
        mode: isStill ? .still : .readOnly)
    }
    return (snapshot, cutLinks)
  }
}

extension StoreSchema {
  /// The tables of the objects whose keys stand first and second in a table of pairs.
  func ends(of table: JoinTable) -> (first: String, second: String)? {
    guard let first = entity(named: table.master.entity)?.table,
      let second = model.relationship(table.master.property, ofEntity: table.master.entity)
        .flatMap({ entity(named: $0.destination) })?.table
    else { return nil }
    return (first, second)
  }
}
