import SQLite
import Testing

@Suite("Blobs in pieces") struct BlobHandleTests {
  private let store: Connection
  private let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  init() throws {
    store = try Connection(inMemory: .own)
    try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
    try store.run("INSERT INTO t VALUES (1, ?1), (2, x'0102'), (3, x''), (4, 5)", [.blob(content)])
  }

  private func open(
    _ row: Int64, _ access: BlobHandle.Access = .read
  ) throws(SQLiteError) -> BlobHandle {
    try BlobHandle(store, table: "t", column: "v", row: row, access)
  }

  @Test("the pieces make up the whole", arguments: [1000, 65_536, 200_000, 1_000_000])
  func pieces(length: Int) throws {
    var read: [UInt8] = []
    try unsafe open(1).forEachPiece(of: length) { piece, offset in
      #expect(offset == read.count)
      unsafe read.append(contentsOf: piece)
    }
    #expect(read == content)
    try unsafe open(3).forEachPiece { _, _ in Issue.record("an empty blob has no pieces") }
  }

  @Test("bytes are written in place, and only there")
  func write() throws {
    let blob = try open(1, .write)
    try unsafe [UInt8]([9, 9]).withUnsafeBytes { unsafe try blob.write($0, at: 100) }
    try blob.close()
    var expected = content
    expected.replaceSubrange(100..<102, with: [9, 9])
    #expect(try store.scalar("SELECT v FROM t WHERE k = 1") == .blob(expected))
  }

  @Test("past the end, a number, a row that is not there, a closed handle: errors")
  func errors() throws {
    let blob = try open(2)
    #expect(sqliteError { _ = try blob.read(3, at: 0) } != nil)
    #expect(sqliteError { _ = try blob.read(1, at: -1) } != nil)
    #expect(sqliteError { _ = try open(4) } != nil)
    #expect(sqliteError { _ = try open(9) } != nil)
    let write = sqliteError {
      try unsafe [UInt8]([1]).withUnsafeBytes { unsafe try blob.write($0, at: 0) }
    }
    #expect(write?.isReadOnly == true)
    // Closing says once more what went wrong, and closes.
    #expect(sqliteError { try blob.close() }?.isReadOnly == true)
    #expect(sqliteError { _ = try blob.read(1, at: 0) }?.isMisuse == true)
    #expect(blob.size == 0)
  }
}
