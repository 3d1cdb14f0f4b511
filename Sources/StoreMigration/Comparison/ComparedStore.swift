package import CoreDataStore
package import SQLite

/// One of two stores that are compared.
package final class ComparedStore {
  /// The path, as messages name it.
  package let path: String
  /// A connection on which the store is `main`.
  package let connection: Connection
  /// The store's schema.
  package let schema: StoreSchema
  /// What the store says of itself; nil leaves the metadata out of the comparison.
  package let metadata: Metadata?
  /// Where files of external values are looked for, in this order.
  package let externalFolders: [String]
  /// What the file looked like before it was read.
  private let stamp: Stamp?
  private let store: Store?

  /// A store of this model that the caller has opened.
  ///
  /// - Throws: ``Failure`` when its tables are not those of the model.
  package init(_ store: Store, model: Model, externalFolders: [String]? = nil) throws {
    path = store.files.path
    connection = store.connection
    schema = try store.expectedSchema(of: model)
    metadata = store.metadata
    self.externalFolders = externalFolders ?? [store.files.externalDataFolder]
    _ = try store.entityPlaces(schema, store.primaryKeys())
    stamp = try Self.stamp(of: store)
    self.store = store
  }

  /// A store on the caller's connection; the caller makes sure that it does not change.
  package init(
    path: String, connection: Connection, schema: StoreSchema, externalFolders: [String],
    metadata: Metadata? = nil
  ) {
    self.path = path
    self.connection = connection
    self.schema = schema
    self.externalFolders = externalFolders
    self.metadata = metadata
    stamp = nil
    store = nil
  }

  /// A store of a run, which was checked already and stays as it is.
  ///
  /// - Throws: ``Failure`` when it cannot be read.
  package convenience init(ofRun store: VerifiedStore) throws {
    do {
      let connection = try Connection(path: store.path, mode: .foreign)
      self.init(
        path: store.path, connection: connection, schema: store.schema,
        externalFolders: store.externalFolders, metadata: try Metadata(of: connection))
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot compare the stores", subject: store.path)
    }
  }
}

extension ComparedStore {
  private static func stamp(of store: Store) throws -> Stamp {
    do {
      return try store.isClone ? Stamp(ofFile: store.files.path) : Stamp(of: store.connection)
    } catch {
      throw Failure(error, what: "cannot compare the stores", subject: store.files.path)
    }
  }

  /// Refuses a store that is not what it was when it was opened.
  func checkUnchanged() throws {
    guard let stamp, let store, try Self.stamp(of: store) != stamp else { return }
    throw Failure(
      .busy, what: "cannot compare the stores", subject: path,
      why: "The store has changed while it was read, so what was found is of two moments.",
      remedy: "Quit the application that uses it, and try again.")
  }

  /// Refuses tables that Core Data does not make: a view could run without end.
  func checkTables() throws {
    guard let store else { return }
    for table in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
      _ = try store.columns(of: table)
    }
  }

  /// The entity of an object in a table; the declared one when the object is not there.
  func entity(of key: Int64, in table: String, declared: String) throws -> String {
    let sql = "SELECT Z_ENT FROM main.\(Identifier.quoted(table)) WHERE Z_PK = ?1"
    guard let number = try connection.integer(sql, [.integer(key)]) else { return declared }
    return schema.entity(number: Int(clamping: number))?.name ?? declared
  }
}
