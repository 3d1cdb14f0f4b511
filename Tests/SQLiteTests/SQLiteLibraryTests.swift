import Foundation
import SQLite
import Testing

@Suite("The library itself") struct SQLiteLibraryTests {
  @Test("version, number and SQL agree")
  func version() throws {
    let store = try Connection(inMemory: .own)
    #expect(try store.string("SELECT sqlite_version()") == SQLiteLibrary.version)
    let parts = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
    #expect(SQLiteLibrary.versionNumber == parts[0] * 1_000_000 + parts[1] * 1000 + parts[2])
    let options = try store.rows("PRAGMA compile_options").compactMap { $0.first?.string }
    #expect(options == SQLiteLibrary.compileOptions && !options.isEmpty)
  }

  @Test("values that are too long, or too many at once, fail instead of the machine")
  func memory() async {
    await #expect(processExitsWith: .exitCode(6)) {
      SQLiteLibrary.takeMemory()
      SQLiteLibrary.limitValues(to: 1 << 20)
      let store = try Connection(inMemory: .own)
      let long = sqliteError { _ = try store.scalar("SELECT randomblob(2000000)") }
      guard long?.isTooBig == true else { exit(1) }
      try store.execute("CREATE TABLE t (a); PRAGMA cache_size = 10000; BEGIN")
      let many = sqliteError {
        for _ in 0..<20 { try store.execute("INSERT INTO t VALUES (randomblob(1000000))") }
      }
      guard many?.isOutOfMemory == true else { exit(2) }
      // What was given back may be taken again.
      try? store.execute("ROLLBACK")
      try store.execute("INSERT INTO t VALUES (randomblob(1000000))")
      exit(6)
    }
  }

  @Test("a statement that changes more pages than memory keeps of them is carried out, or undone")
  func savepoints() async {
    await #expect(processExitsWith: .exitCode(6)) {
      SQLiteLibrary.takeMemory()
      let path = NSTemporaryDirectory() + UUID().uuidString
      let store = try Connection(path: path, mode: .own(create: true))
      // Two megabytes of pages: what undoes a statement is written to a file on its way.
      try store.execute(
        """
        CREATE TABLE t (k INTEGER PRIMARY KEY, u UNIQUE, v); BEGIN;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO t SELECT i, i, zeroblob(4000) FROM n; COMMIT; BEGIN;
        UPDATE t SET u = u + 1000, v = zeroblob(4001)
        """)
      // All rows change before the last one meets what is unique.
      let refused = sqliteError { try store.execute("UPDATE t SET u = min(u + 1000, 2499), v = 0") }
      let length = try store.integer("SELECT sum(length(v)) FROM t")
      let last = try store.integer("SELECT max(u) FROM t")
      try store.execute("COMMIT")
      try store.close()
      try FileManager.default.removeItem(atPath: path)
      exit(
        refused?.name.hasPrefix("SQLITE_CONSTRAINT") == true && length == 500 * 4001 && last == 1500
          ? 6 : 1)
    }
  }

  @Test("where SQLite has memory already, its own limit counts")
  func late() async {
    await #expect(processExitsWith: .exitCode(6)) {
      let store = try Connection(inMemory: .own)
      SQLiteLibrary.takeMemory()
      SQLiteLibrary.limitValues(to: 1 << 20)
      try store.execute("CREATE TABLE t (a); PRAGMA cache_size = 10000; BEGIN")
      let many = sqliteError {
        for _ in 0..<20 { try store.execute("INSERT INTO t VALUES (randomblob(1000000))") }
      }
      // A build without memory statistics has no limit to keep.
      let isKept = many?.isOutOfMemory == true
      exit(isKept || SQLiteLibrary.compileOptions.contains("DEFAULT_MEMSTATUS=0") ? 6 : 2)
    }
  }

  @Test("what one thread takes and another gives back is counted once")
  func threads() async {
    await #expect(processExitsWith: .exitCode(6)) {
      SQLiteLibrary.takeMemory()
      SQLiteLibrary.limitValues(to: 1 << 20)
      // 16 times as much as the limit in all, and never more than a part of it at a time.
      for _ in 0..<64 {
        let store = try Connection(inMemory: .own)
        try store.execute("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(1000000))")
        nonisolated(unsafe) let handed = store
        let thread = Thread { try? unsafe handed.close() }
        thread.start()
        while !thread.isFinished { usleep(100) }
      }
      exit(6)
    }
  }

  @Test("blocks that are used again hold what was put into them, in several threads")
  func blocks() async {
    await #expect(processExitsWith: .exitCode(6)) {
      SQLiteLibrary.takeMemory()
      let sums = await withTaskGroup(of: Int64?.self) { group in
        for _ in 0..<4 {
          group.addTask {
            // Values grow and shrink over the sizes that are kept, and beyond them.
            let store = try? Connection(inMemory: .own)
            return try? store?.integer(
              """
              WITH RECURSIVE n (i, t) AS (
                SELECT 0, '' UNION ALL
                SELECT i + 1, hex(zeroblob(i * 37 % 900)) || i FROM n WHERE i < 5000)
              SELECT sum(length(replace(t, '0', '')) + length(t || t || t)) FROM n
              """)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      var expected: Int64 = 0
      for i in 0..<5000 {
        let digits = String(i)
        let zeros = 2 * (i * 37 % 900)
        expected += Int64(digits.filter { $0 != "0" }.count + 3 * (zeros + digits.count))
      }
      exit(sums.count == 4 && sums.allSatisfy { $0 == expected } ? 6 : 1)
    }
  }

  @Test("a value may be as long as is said") func longer() async {
    await #expect(processExitsWith: .exitCode(6)) {
      SQLiteLibrary.limitValues(to: 2 * SQLiteLibrary.usualLongestValue)
      let store = try Connection(inMemory: .own)
      let length = try store.integer("SELECT length(randomblob(100000001))")
      exit(length == 100_000_001 ? 6 : 1)
    }
  }
}
