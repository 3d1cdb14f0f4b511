import SQLite
import TestSupport
import Testing

@Suite("Files attached again", .temporaryFolder)
struct AttachTests {
  private func read(_ connection: Connection) throws -> Int64? {
    try connection.integer("SELECT count(*) FROM source.t")
  }

  @Test("a file that is only read is read by a second connection, and stays locked for the first")
  func shared() throws {
    try makeStore(file("a")).close()
    let first = try Connection(inMemory: .own)
    try first.attach(file("a"), as: "source", .readOnly)
    let second = try Connection(inMemory: .own)
    try second.attach(file("a"), as: "source", .readOnlyAgain)
    #expect(try read(first) == 3)
    #expect(try read(second) == 3)
    #expect(sqliteError { try second.execute("DELETE FROM source.t") } != nil)
    try second.close()
    #expect(try read(first) == 3)
    let refused = sqliteError { _ = try Connection(path: file("a"), mode: .foreign) }
    #expect(refused?.refusal == .alreadyOpen)
    try first.close()
    try Connection(path: file("a"), mode: .own(create: false)).close()
  }

  @Test("a file that is written, or not open at all, is not attached again")
  func alone() throws {
    let memory = try Connection(inMemory: .own)
    let writer = try makeStore(file("a"))
    let written = sqliteError { try memory.attach(file("a"), as: "source", .readOnlyAgain) }
    #expect(written?.refusal == .alreadyOpen)
    try writer.close()
    #expect(sqliteError { try memory.attach(file("a"), as: "source", .readOnlyAgain) } != nil)
  }
}
