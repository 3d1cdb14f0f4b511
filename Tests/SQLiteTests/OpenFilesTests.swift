import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import SQLite

@Suite("Descriptors next to SQLite's", .temporaryFolder)
struct OpenFilesTests {
  /// Whether another process finds the database locked.
  private func expectLocked(_ path: String) async {
    await #expect(processExitsWith: .exitCode(5)) { [path = path as String] in
      do {
        try Connection(path: path, mode: .own(create: false)).execute("SELECT * FROM t")
      } catch let error as SQLiteError where error.isBusy {
        exit(5)
      }
    }
  }

  @Test("one that goes while SQLite has its file leaves SQLite's locks, and goes with SQLite")
  func waits() async throws {
    try makeStore(file("a")).close()
    let link = file("other name")
    try FileManager.default.linkItem(atPath: file("a"), toPath: link)
    let store = try Connection(path: file("a"), mode: .own(create: false))
    try store.execute("BEGIN EXCLUSIVE")
    for path in [file("a"), link] { #expect(try StillFile(path).bytes(1, at: 0) != nil) }
    await expectLocked(file("a"))
    try store.close()
    #expect(try descriptors(of: file("a")) == 0)
  }

  @Test("the same where the file is attached") func attached() async throws {
    try makeStore(file("a")).close()
    let store = try makeStore(file("b"))
    try store.attach(file("a"), as: "other", .readWrite)
    try store.execute("BEGIN EXCLUSIVE")
    #expect(try StillFile(file("a")).bytes(1, at: 0) != nil)
    await expectLocked(file("a"))
    try store.execute("ROLLBACK")
    try store.detach("other")
    #expect(try descriptors(of: file("a")) == 0)
    try store.close()
  }

  @Test("one of a file that SQLite has not got is closed at once") func once() throws {
    try makeStore(file("a")).close()
    #expect(try StillFile(file("a")).bytes(1, at: 0) != nil)
    _ = try DatabaseFile.examine(file("a"))
    #expect(try descriptors(of: file("a")) == 0)
  }

  /// How many descriptors of this process are open on a file; 0 where the system does not tell.
  private func descriptors(of path: String) throws -> Int {
    let identity = try DatabaseFile.locate(path).identity
    return (3..<1024).count { (try? FileEntry.of(descriptor: $0).identity) == identity }
  }
}
