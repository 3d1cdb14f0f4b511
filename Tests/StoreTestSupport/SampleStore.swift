package import CoreDataStore
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
}
