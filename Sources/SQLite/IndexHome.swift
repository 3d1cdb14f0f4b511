internal import CSQLite

/// An index that is to belong to another table, and the statement that would make it there.
package struct MovedIndex: Sendable {
  package let name: String
  /// The statement that would make it.
  package let sql: String

  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}

extension Connection {
  /// Lets indexes of the main file belong to another of its tables, with the entries they have, in
  /// the transaction that is open.
  ///
  /// SQLite has no statement for it; "PRAGMA writable_schema=ON" lets the schema table "be changed
  /// using ordinary UPDATE, INSERT, and DELETE statements", and RESET reads it again. The entry
  /// goes to the end of the table, as an index must be read after the table it is of.
  package func move(_ indexes: [MovedIndex], to table: String) throws(SQLiteError) {
    try setDefensive(false)
    do throws(SQLiteError) {
      try execute("PRAGMA writable_schema = ON")
      for index in indexes {
        let count = try run(
          """
          UPDATE main.sqlite_master SET tbl_name = ?1, sql = ?2,
          rowid = (SELECT max(rowid) + 1 FROM main.sqlite_master)
          WHERE type = 'index' AND name = ?3
          """, [.text(table), .text(index.sql), .text(index.name)])
        guard count == 1 else { throw .misuse("there is no index to be moved", path: path) }
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
