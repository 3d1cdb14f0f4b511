package import CoreDataStore
import Formats
import SQLite

/// Stores for tests, made of a model and some SQL.
package enum SampleStore {
  /// Makes a store; the SQL runs when its tables are there.
  package static func make(
    of model: Model, at path: String, contents: NewStoreContents = NewStoreContents(),
    adding sql: String = ""
  ) throws {
    let store = try NewStore(at: path, schema: StoreSchema(of: model), contents: contents)
    try store.make(.tables)
    try store.connection.execute(sql)
    try store.make(.indexes)
    try store.close()
  }

  /// Makes a store with texts in its metadata.
  package static func make(
    of model: Model, at path: String, metadata: [String: String], adding sql: String
  ) throws {
    let contents = NewStoreContents(metadata: metadata.mapValues { .string($0) })
    try make(of: model, at: path, contents: contents, adding: sql)
  }

  /// Does some SQL to a store, as somebody does who knows nothing of Core Data.
  package static func change(_ path: String, by sql: String) throws {
    var mode = OpenMode.own(create: false)
    mode.guards.longestValue = .max
    let connection = try Connection(path: path, mode: mode)
    try connection.execute(sql)
    try connection.close()
  }

  /// Reads a store as another process does that does not end; until the result is called.
  package static func hold(_ path: String) throws -> () throws -> Void {
    let connection = try Connection(path: path, mode: .own(create: false))
    try connection.execute("BEGIN; SELECT count(*) FROM sqlite_schema")
    return { try connection.close() }
  }

  /// Puts a property list's bytes into a store's metadata.
  package static func setMetadata(_ path: String, _ bytes: [UInt8]) throws {
    let connection = try Connection(path: path, mode: .own(create: false))
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?1", [.blob(bytes)])
    try connection.close()
  }
}
