import SQLite

/// The library that reads and writes stores.
package enum StoreEngine {
  /// SQLite's version, as the library that was loaded says, like "3.40.1".
  package static var version: String { SQLiteLibrary.version }
}
