package import CoreDataStore
package import SQLite

/// A store that is being built, with the source attached: one connection.
///
/// The target is `main`, the source `source`. In addition to the tables of its schema the store has
/// some of ours, ``BuilderTables``, so that a killed run finds in it all that it did.
package final class StoreBuilder: StorePair {
  /// How long a store that is being built lasts.
  package enum Life: Sendable {
    /// Each commit outlives a power cut, and a later process resumes it.
    case lasting
    /// It goes with the process that makes it, and nothing of it is synced.
    case temporary
    /// It is in memory, for the little that is needed to compare rows.
    case inMemory
  }

  /// The new store, for those who make its indexes and triggers.
  package let store: NewStore
  /// The source's schema.
  package let sourceSchema: StoreSchema
  /// The mapping of the step.
  package let mapping: Mapping
  package let travel: LinkTravel
  /// The source's file.
  package let sourcePath: String
  /// The new store's file.
  package let path: String
  /// The folder of the source's external values.
  package let externalFolder: String
  /// The folder for large values that get a file on their way; nil where they stay in the store.
  package let newExternals: String?
  /// The folder of large values that another run of the same has made; nil for none.
  private let earlierExternals: String?
  /// Whether an earlier run began it.
  package let isResumed: Bool
  /// How the objects of each source entity travel, as it was planned; empty where there is no plan.
  let planned: [String: CopyWay]
  /// What units have done since a commit that they share; nil where each has its own.
  var shared: SharedWork?
  /// What is known of the pages that the new store begins on, or of its own.
  package private(set) var walk: PageWalk?
  /// What is known of the source's pages.
  let sourceWalk: PageWalk?
  /// Whether a retry puts objects into a store that is finished otherwise.
  let isRefilled: Bool
  /// Whether objects are left out that a run had rejected.
  private var leavesOut = false
  /// What a run has staged, where scripts run again to be compared with it; nil where a store is
  /// made.
  let staged: (any StagedStore)?
  private let life: Life

  /// The staged large values that a twin does not have again; nil where no twin is made.
  var stagedValues: StagedValues? { staged.map { StagedValues($0, connection) } }

  /// Whether rows are compared with those that are staged, and none is made.
  package var isComparing: Bool { staged != nil && life == .inMemory }

  /// The connection, on which the target is `main` and the source is `source`.
  package var connection: Connection { store.connection }
  package var external: ExternalValues {
    ExternalValues(
      old: [newExternals, earlierExternals, externalFolder].compactMap(\.self), new: newExternals)
  }
  /// The target's schema.
  package var targetSchema: StoreSchema { store.schema }

  /// Begins a store, or continues what a killed run left; a damaged file is rebuilt.
  ///
  /// - Parameters:
  ///   - path: The new store's file.
  ///   - source: The source's file, which stays as it is meanwhile.
  ///   - sourceSchema: The source's schema.
  ///   - mapping: The mapping of the step.
  ///   - targetSchema: The new store's schema.
  ///   - contents: What the new store says of itself, until it is finished.
  ///   - externalFolder: The folder of the source's external values, which need not be there.
  ///   - newExternals: The folder for those that get a file on their way, and that an earlier step
  ///     has put there; made when it is needed.
  ///   - earlierExternals: A folder of such files that another run of the same has made.
  ///   - start: How it begins; where nothing of the source can stay, it begins empty.
  ///   - ways: How the objects of each source entity travel; without it whole tables travel as
  ///     such wherever they can.
  ///   - walk: What a walk over the source's pages has shown; nil where there was none.
  ///   - copied: What the source says of itself, where that was read already; it is not opened for
  ///     that once more.
  ///   - life: How long it lasts.
  ///   - staged: What it is compared with, where it is made for that alone.
  /// - Throws: ``Failure`` when the source has not the tables of its schema.
  package init(
    at path: String, source: String, sourceSchema: StoreSchema, mapping: Mapping,
    targetSchema: StoreSchema, contents: NewStoreContents, externalFolder: String,
    newExternals: String? = nil, earlierExternals: String? = nil, start: StoreStart = .empty,
    ways: [String: CopyWay] = [:], walk: PageWalk? = nil, copied: StoreMoment.Copied? = nil,
    life: Life = .lasting, staged: (any StagedStore)? = nil
  ) throws {
    (self.path, sourcePath) = (path, source)
    (self.life, self.staged) = (life, staged)
    (self.sourceSchema, self.mapping) = (sourceSchema, mapping)
    travel = LinkTravel(mapping, from: sourceSchema, to: targetSchema)
    (self.externalFolder, self.newExternals) = (externalFolder, newExternals)
    (self.earlierExternals, planned, sourceWalk) = (earlierExternals, ways, walk)
    let file = BuilderFile(
      path: path, schema: targetSchema, contents: contents, life: life)
    var kept: KeptTables?
    var moving: KeptTables?
    if let store = try file.resume() {
      (self.store, isResumed) = (store, true)
    } else {
      kept =
        try start == .overlay || start == .clone
        ? KeptTables.ofClone(
          source, from: sourceSchema, to: targetSchema, mapping, ways, walk: walk, copied: copied)
        : nil
      // What cannot be looked at is reported below, by the check of the source.
      moving =
        kept == nil && life != .inMemory
        ? try? KeptTables.moving(
          source, from: sourceSchema, to: targetSchema, mapping, ways, walk: walk, copied: copied)
        : nil
      store =
        try kept == nil
        ? file.begin(isLogged: start != .empty && start != .clone)
        : file.begin(with: source, isOverlay: start == .overlay)
      isResumed = false
    }
    // Its pages are those of the source where it is on top of that, and nowhere else.
    self.walk = store.connection.isOverlay(on: source) ? walk : nil
    isRefilled =
      try store.connection.integer(
        "SELECT 1 FROM main.sqlite_master WHERE name = '\(BuilderTables.refilled)'") == 1
    try telling("cannot read the source", source) {
      try connection.attach(source, as: "source", .readOnly)
      if let staged { try connection.attach(staged.path, as: StagedMark.name, .readOnly) }
    }
    // One read transaction on both: the source is asked about one table after the other.
    try connection.transaction(.deferred) { try SourceCheck(self).run() }
    if !isResumed { try begin(kept, moving) }
  }

  /// The tables, ours included, in one transaction: a file that has any of them has all.
  private func begin(_ kept: KeptTables?, _ moving: KeptTables?) throws {
    try telling("cannot make the new store", path) {
      try connection.transaction {
        let tables = kept?.names ?? []
        if let kept {
          let aside = try KeptIndexes.candidates(self, in: try Schema(of: connection))
          try CloneCleaning(
            connection, keeping: tables, with: kept.indexes, settingAside: aside
          ).run()
        }
        try store.makeTables(without: tables)
        for statement in BuilderTables.sql { try connection.execute(statement) }
        if mapping.givesKeys { try indexAssociations() }
        try KeySupply(self).begin()
        if let kept { try note(kept) }
        if let moving { try noteMoves(of: moving) }
        try noteWays(kept, moving)
      }
    }
  }

  /// Makes the indexes of the tables that say which object came of which.
  func indexAssociations() throws(SQLiteError) {
    for statement in BuilderTables.indexes { try connection.execute(statement) }
  }

  /// Whether the store at a path was made whole by a run, as its own content shows.
  ///
  /// - Throws: ``Failure`` when it cannot be looked at.
  package static func isWhole(_ path: String, madeBy run: String) throws -> Bool {
    try BuilderFile.isWhole(path, markedBy: run)
  }

  /// How many objects of this very entity the source has.
  package func objectCount(of sourceEntity: String) throws -> Int {
    let entity = try sourceLayout(sourceEntity)
    if let count = sourceWalk?.count(of: entity.number, in: entity.table) { return count }
    return try telling("cannot count the objects", "entity \(sourceEntity)") {
      let table = Identifier.quoted(entity.table, in: "source")
      let count = try connection.integer(
        "SELECT count(*) FROM \(table) WHERE Z_ENT = ?1", [.integer(Int64(entity.number))])
      return Int(count ?? 0)
    }
  }

  /// How far a unit of work has come; nil when it has not begun.
  package func progress(of unit: String) throws -> ProgressRow? {
    try telling("cannot read how far the work has come", path) {
      var found: ProgressRow?
      try connection.query(
        """
        SELECT last, rows, made, bytes, state, done FROM \(BuilderTables.progress)
        WHERE unit = ?1
        """, [.text(unit)]
      ) { row in
        found = ProgressRow(
          unit: unit, last: row.integer(0), rows: Int(row.integer(1) ?? 0),
          made: Int(row.integer(2) ?? 0), bytes: Int(row.integer(3) ?? 0),
          state: try row.blob(4), isDone: row.integer(5) == 1)
      }
      return found
    }
  }

  /// Notes how far a unit has come, in the transaction that did the work.
  package func record(_ row: ProgressRow) throws {
    try telling("cannot note how far the work has come", path) {
      try connection.run(
        "INSERT OR REPLACE INTO \(BuilderTables.progress) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        [
          .text(row.unit), row.last.map(Value.integer) ?? .null, .integer(Int64(row.rows)),
          .integer(Int64(row.made)), .integer(Int64(row.bytes)),
          row.state.map(Value.blob) ?? .null, .integer(row.isDone ? 1 : 0),
        ])
    }
  }

  /// What narrows the keys of a source entity's objects to those that are retried, or to those that
  /// were not rejected where that is done again; nothing in a run.
  package func narrowing(_ entity: String, key: String) throws -> String {
    guard isRefilled || leavesOut else { return "" }
    let number = try sourceLayout(entity).number
    let (table, word) =
      isRefilled ? (BuilderTables.refilled, "IN") : (BuilderTables.leftOut, "NOT IN")
    return " AND \(key) \(word) (SELECT source FROM main.\(table) WHERE source_entity = \(number))"
  }

  /// Leaves out objects of scripted entities, as if their scripts rejected them: before anything is
  /// copied.
  package func leaveOut(_ keys: [String: [Int64]]) throws {
    try telling("cannot make the new store", path) {
      try connection.transaction {
        try BuilderTables.note(
          keys.map { (try sourceLayout($0).number, $1) }, as: BuilderTables.leftOut, connection)
      }
    }
    leavesOut = true
  }

  /// A new Z_PK in the table of a root entity of the target.
  package func allocateKey(root: String) throws -> Int64 {
    try KeySupply(self).take(1, root: root)
  }

  /// The file's size, of which growth is measured.
  func size() throws -> Int {
    let pages = try connection.integer("PRAGMA main.page_count") ?? 0
    return Int(pages) * store.contents.pageSize
  }

  /// Proves that indexes hold the rows of tables that were made for those which they belonged to;
  /// gives back the names of all that are right.
  ///
  /// `stand` has the tables by those which keep their indexes. What was committed is looked at.
  func prove(_ stand: [String: String]) throws(SQLiteError) -> Set<String> {
    let found = try connection.walk(
      .rows(counting: "Z_ENT"), comparing: stand, since: walk, isOwn: true)
    walk = found ?? walk
    return found?.rightIndexes ?? []
  }

  /// What is wrong with the pages of the new store; of those that are as they were it is known.
  func problems() throws(SQLiteError) -> [String] {
    guard let found = try connection.walk(.pages, since: walk) else {
      return try connection.found(by: .quick)
    }
    walk = found
    return []
  }

  /// Closes the file, and says so when something is still using it.
  package func close() throws { try store.close() }
}

// What is common to those who build it.
extension StoreBuilder {
  package func note(_ remark: ValueRemark, _ attribute: PropertyReference) throws {
    try NotedValues(self).note(remark, attribute)
  }

  /// The root of a target entity, which gives out its keys.
  func root(of layout: EntityLayout) -> String {
    targetSchema.table(of: layout)?.root ?? layout.name
  }

  /// Runs something, and reports an error of SQLite as one of the store.
  @discardableResult
  func telling<Result>(
    _ what: @autoclosure () -> String, _ subject: @autoclosure () -> String,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw Failure(error, what: what(), subject: subject())
    }
  }
}

/// Sees that the source has the tables and columns that are going to be read, and plain ones.
///
/// A view of a table's name would run a query from an unknown author.
struct SourceCheck {
  private let builder: StoreBuilder

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// - Throws: ``Failure`` naming the table and what is wrong with it.
  func run() throws {
    let schema = builder.sourceSchema
    for table in schema.tables { try check(table.name, table.columns.map(\.name)) }
    for table in schema.joinTables { try check(table.name, table.columns) }
    try check("Z_PRIMARYKEY", ["Z_ENT", "Z_MAX"])
  }

  private func check(_ table: String, _ columns: [String]) throws {
    let found: [SchemaColumn]
    do {
      found = try builder.connection.columns(of: table, in: "source")
    } catch {
      throw Failure(error, what: "cannot read the table", subject: subject(table))
    }
    let plain = Set(found.filter { $0.kind == .normal }.map(\.name))
    guard let missing = columns.first(where: { !plain.contains($0) }) else { return }
    throw Failure(
      .unusable, what: "cannot read the table", subject: subject(table),
      why: "It has no ordinary column \(missing), which the model says it has.",
      remedy: Failure.restore)
  }

  private func subject(_ table: String) -> String { "\(builder.sourcePath), \(table)" }
}

/// Takes everything out of a clone of a source that the new store rebuilds, or must not have.
///
/// What stays are tables that ``KeptTables`` names, with those of their indexes that it has proved,
/// and indexes of other tables that are kept apart, see ``KeptIndexes``. Views and triggers go
/// first: nothing of the source's acts on what is done here.
struct CloneCleaning {
  private let connection: Connection
  private let tables: Set<String>
  private let indexes: Set<String>
  private let setAside: [StoreIndex]

  init(
    _ connection: Connection, keeping tables: Set<String>, with indexes: Set<String>,
    settingAside others: [StoreIndex] = []
  ) {
    (self.connection, self.tables, self.indexes) = (connection, tables, indexes)
    setAside = others.filter { !tables.contains($0.table) }
  }

  /// Does the work, in the caller's transaction.
  func run() throws(SQLiteError) {
    let schema = try Schema(of: connection)
    for trigger in schema.objects(of: .trigger) { try drop("TRIGGER", trigger) }
    for view in schema.objects(of: .view) { try drop("VIEW", view) }
    for index in schema.objects(of: .index) where isAlien(index) { try drop("INDEX", index) }
    try KeptIndexes.setAside(setAside, schema, connection)
    for table in schema.objects(of: .table) where !tables.contains(table.name) {
      try drop("TABLE", table)
    }
    try connection.execute("PRAGMA main.user_version = 0; PRAGMA main.application_id = 0")
  }

  private func drop(_ kind: String, _ object: SchemaObject) throws(SQLiteError) {
    try connection.execute("DROP \(kind) \(Identifier.quoted(object.name, in: "main"))")
  }

  /// Whether an index of a table that stays must go; those of a PRIMARY KEY belong to the table,
  /// and those of the others go with these.
  private func isAlien(_ object: SchemaObject) -> Bool {
    object.sql != nil && tables.contains(object.table) && !indexes.contains(object.name)
  }
}
