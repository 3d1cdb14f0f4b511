import TestSupport
import Testing

@testable import SQLite

@Suite("Files that bytes are read of", .temporaryFolder)
struct ReadableFileTests {
  @Test("SQLite's own handle and a file next to it give the same bytes") func same() throws {
    let store = try makeStore(file("a"), rows: 50)
    let own = try OpenFile.main(of: store).bytes(4096, at: 0)
    try store.close()
    #expect(try own == StillFile(file("a")).bytes(4096, at: 0))
  }
}
