import Foundation
import SQLite
import TestSupport
import Testing

/// The path of a file in the running test's folder.
func file(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }

/// A new database of ours, with a table `t (k INTEGER PRIMARY KEY, v)` and so many rows.
@discardableResult
func makeStore(
  _ path: String, rows: Int = 3, pageSize: Int = 4096, journal: String = "DELETE"
) throws -> Connection {
  var mode = OpenMode.own(create: true)
  mode.pageSize = pageSize
  mode.durability = .off
  let store = try Connection(path: path, mode: mode)
  try store.execute("PRAGMA journal_mode = \(journal); PRAGMA wal_autocheckpoint = 0")
  try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
  try fill(store, rows: rows)
  return store
}

/// Adds rows with values that take some room.
func fill(_ store: Connection, rows: Int) throws {
  try store.run(
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO t (v) SELECT printf('%0100d', i) FROM n WHERE ?1 > 0
    """, [.integer(Int64(rows))])
}

/// The bytes of a file that no connection has open.
func contents(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(filePath: path)))
}

/// Writes a file.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(filePath: path))
}

/// Whether something is at the path, a dangling link included.
func exists(_ path: String) -> Bool {
  (try? FileManager.default.attributesOfItem(atPath: path)) != nil
}

/// The error that `body` throws, when it is SQLite's.
func sqliteError(_ body: () throws -> Void) -> SQLiteError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SQLiteError
  }
}

/// Makes a FIFO.
func makePipe(_ path: String) throws {
  let code = unsafe mkfifo(path, 0o600)
  try #require(code == 0)
}
