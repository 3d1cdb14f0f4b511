internal import CSQLite

/// An index that is to belong to another table, and the statement that would make it there.
package struct MovedIndex: Sendable {
  package let name: String
  /// The table that it goes to.
  package let table: String
  /// The statement that would make it.
  package let sql: String

  package init(name: String, table: String, sql: String) {
    (self.name, self.table, self.sql) = (name, table, sql)
  }
}

extension Connection {
  /// Lets indexes of the main file belong to others of its tables, with the entries they have, in
  /// the transaction that is open.
  ///
  /// SQLite has no statement for it; "PRAGMA writable_schema=ON" lets the schema table "be changed
  /// using ordinary UPDATE, INSERT, and DELETE statements", and RESET reads it again. The entry
  /// goes to the end of the table, as an index must be read after the table it is of.
  package func move(_ indexes: [MovedIndex]) throws(SQLiteError) {
    guard !indexes.isEmpty else { return }
    let entries = try rows("SELECT name, rowid FROM main.sqlite_master WHERE type = 'index'")
    var places = Dictionary(entries.map { (Text($0[0].string ?? ""), $0[1]) }) { first, _ in first }
    guard places.count == entries.count else {
      throw .misuse("two indexes have one name", path: path)
    }
    try setDefensive(false)
    defer { forgetSchemas() }
    do throws(SQLiteError) {
      try execute("PRAGMA writable_schema = ON")
      for index in indexes {
        // Its entry has another place from then on.
        guard let place = places.removeValue(forKey: Text(index.name)) else {
          throw .misuse("there is no index to be moved", path: path)
        }
        try run(
          """
          UPDATE main.sqlite_master SET tbl_name = ?1, sql = ?2,
          rowid = (SELECT max(rowid) + 1 FROM main.sqlite_master) WHERE rowid = ?3
          """, [.text(index.table), .text(index.sql), place])
      }
      try execute("PRAGMA writable_schema = RESET")
      try setDefensive(true)
    } catch {
      try? execute("PRAGMA writable_schema = RESET")
      try setDefensive(true)
      throw error
    }
  }

  /// The defensive flag, on since the file was opened, forbids to write the schema table.
  private func setDefensive(_ isOn: Bool) throws(SQLiteError) {
    let code = unsafe csqlite_db_config(try handle(), SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0)
    guard code == SQLITE_OK else {
      throw SQLiteError(code, "SQLite refuses to let its schema be written", path: path)
    }
  }
}
