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

/// The same, with 32 bytes at the end of each page that SQLite does not use.
///
/// "The size in bytes of the unused reserved space at the end of each page" is at 20; the first
/// page of an empty database has no cell, and its content begins where the reserved bytes do
/// (Database File Format, 1.3 and 1.6).
func makeReserved(_ path: String, pageSize: Int, vacuum: Int = 2) throws -> Connection {
  var mode = OpenMode.own(create: true)
  (mode.pageSize, mode.autoVacuum) = (pageSize, vacuum)
  let empty = try Connection(path: path, mode: mode)
  try empty.execute("CREATE TABLE t (a); DROP TABLE t; VACUUM")
  try empty.close()
  var bytes = try contents(path)
  let start = pageSize - 32
  bytes[20] = 32
  (bytes[105], bytes[106]) = (UInt8(start >> 8), UInt8(start & 0xff))
  try write(bytes, to: path)
  let store = try Connection(path: path, mode: .own(create: false))
  try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
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
