package import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// A new store built from plain values, object by object: for tests, samples and measurements.
///
/// It opens like one that Core Data made. Objects come in any order, and a link may lead to one
/// that comes later; memory does not grow with the store.
///
///     try StoreFixture.make(at: path, schema: StoreSchema(of: model)) { fixture in
///       let home = try fixture.add("Folder", ["name": .string("Home")])
///       try fixture.add("Note", ["title": .string("Milk")], links: ["folder": [home]])
///     }
package final class StoreFixture {
  private let store: NewStore
  private let links: FixtureLinks
  private let values: ObjectValues
  private let supportFolder: String
  private var tables: [String: FixtureTable] = [:]
  private var highestKeys: [String: Int64] = [:]
  private var connection: Connection { store.connection }

  private init(_ store: NewStore) throws {
    self.store = store
    links = FixtureLinks(store.connection, store.schema)
    let files = try StoreFiles(store.connection.path)
    supportFolder = files.supportFolder
    values = ObjectValues(
      schema: store.schema, external: ExternalValues(old: [], new: files.externalDataFolder))
  }

  /// Makes a store that is not there yet, with the objects that `fill` adds.
  ///
  /// - Parameters:
  ///   - path: The new file; large values with external storage get files next to it.
  ///   - schema: The store's schema.
  ///   - contents: What it says of itself, and whether it keeps a history.
  ///   - fill: Adds the objects. What it throws leaves a file without any.
  /// - Throws: ``Failure`` for an object that the model has no place for, and for a link that
  ///   leads nowhere.
  package static func make(
    at path: String, schema: StoreSchema, contents: NewStoreContents = NewStoreContents(),
    _ fill: (StoreFixture) throws -> Void
  ) throws {
    let store = try NewStore(at: path, schema: schema, contents: contents, durability: .off)
    try store.make(.tables)
    let fixture = try StoreFixture(store)
    do {
      try store.connection.transaction {
        try fixture.links.begin()
        try fill(fixture)
        try fixture.finish()
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot make the new store", subject: path)
    }
    // Triggers last: those of derived attributes call functions that only Core Data has.
    try store.make(.indexes)
    try store.make(.triggers)
    try store.close()
  }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - entity: Its very entity.
  ///   - key: Its Z_PK; nil for the next one that is free.
  ///   - attributes: Its values; an attribute that is not named has the model's default.
  ///   - links: Where its relationships lead, an ordered one in this order. The inverse need not be
  ///     said.
  /// - Returns: The object, for links that lead to it.
  /// - Throws: ``Failure`` when the model has no place for it, and when its key is taken.
  @discardableResult
  package func add(
    _ entity: String, key: Int64? = nil, _ attributes: [String: AttributeValue] = [:],
    links: [String: [ObjectID]] = [:]
  ) throws -> ObjectID {
    let table = try table(of: entity)
    let highest = highestKeys[table.layout.table] ?? 0
    let object = ObjectID(entity: entity, key: key ?? highest + 1)
    highestKeys[table.layout.table] = max(highest, object.key)
    var row = table.row(key: object.key)
    for (name, value) in attributes {
      try makeFolder(for: value)
      row.set(try values.stored(value, name, table.layout, object.key))
    }
    for (name, others) in links.sorted(by: { $0.key < $1.key }) {
      if let cell = try self.links.add(object, name, others) { row.set(cell) }
    }
    do {
      try table.insert(row)
    } catch {
      throw Failure(
        error, what: "cannot make an object", subject: "entity \(entity), Z_PK \(object.key)")
    }
    return object
  }

  private func table(of entity: String) throws -> FixtureTable {
    if let known = tables[entity] { return known }
    let table = try FixtureTable(store.schema, entity, connection)
    tables[entity] = table
    return table
  }

  /// The folder that holds the one of large values is made when there is such a value.
  private func makeFolder(for value: AttributeValue) throws {
    switch value {
    case .binary(let bytes) where bytes.count > ExternalValues.mostInline,
      .transformable(let bytes) where bytes.count > ExternalValues.mostInline:
      do {
        try FileSystem.makeFolder(supportFolder)
      } catch {
        throw Failure(
          error, what: "cannot put a large value into a file", subject: supportFolder)
      }
    default: return
    }
  }

  private func finish() throws {
    // A statement that is kept would keep the file from being closed.
    tables = [:]
    try links.finish()
    try raiseKeys()
    try DerivedValues(connection: connection, schema: store.schema, now: 0).fill()
  }

  private func raiseKeys() throws {
    for table in store.schema.tables {
      guard let root = store.schema.entity(named: table.root), let key = highestKeys[table.name]
      else { continue }
      try connection.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2",
        [.integer(key), .integer(Int64(root.number))])
    }
  }
}
