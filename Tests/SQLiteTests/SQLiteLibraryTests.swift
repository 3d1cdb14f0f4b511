import Foundation
import SQLite
import Testing

@Suite("The library itself") struct SQLiteLibraryTests {
  @Test("version, number and SQL agree")
  func version() throws {
    let store = try Connection(inMemory: .own)
    #expect(try store.string("SELECT sqlite_version()") == SQLiteLibrary.version)
    #expect(try store.string("SELECT sqlite_source_id()") == SQLiteLibrary.sourceID)
    let parts = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
    #expect(SQLiteLibrary.versionNumber == parts[0] * 1_000_000 + parts[1] * 1000 + parts[2])
    let options = try store.rows("PRAGMA compile_options").compactMap { $0.first?.string }
    #expect(options == SQLiteLibrary.compileOptions && !options.isEmpty)
  }

  @Test("a heap limit makes a greedy statement fail instead of the machine")
  func heap() async {
    await #expect(processExitsWith: .exitCode(6)) {
      let limit = SQLiteLibrary.limitHeap(soft: 8 << 20, hard: 16 << 20)
      let store = try Connection(inMemory: .own)
      let error = sqliteError { _ = try store.scalar("SELECT randomblob(100000000)") }
      // A build without memory statistics has no limit to keep.
      let isKept = error?.isOutOfMemory == true && limit == 16 << 20
      exit(isKept || SQLiteLibrary.compileOptions.contains("DEFAULT_MEMSTATUS=0") ? 6 : 1)
    }
  }
}
