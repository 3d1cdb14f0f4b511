import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Errors of stores", .temporaryFolder) struct StoreFailuresTests {
  static let kinds: [(code: Int32, kind: Failure.Kind)] = [
    (5, .busy), (6, .busy), (13, .refused), (10, .refused), (8, .refused), (14, .refused),
    (11, .unusable), (26, .unusable), (9, .unusable), (1, .unusable),
  ]

  @Test("each of SQLite's codes belongs to a status", arguments: kinds)
  func kind(code: Int32, kind: Failure.Kind) {
    let error = Failure(SQLiteError(code, "words", path: "p"), what: "cannot", subject: "s")
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix("cannot: s\nWords (SQLITE_"))
  }

  @Test(
    "a value that is too long for the memory says how to allow it",
    arguments: [(18, Failure.Kind.unusable), (7, .refused)] as [(Int32, Failure.Kind)]
  )
  func tooLong(code: Int32, kind: Failure.Kind) {
    let error = Failure(SQLiteError(code, "words", path: "p"), what: "cannot", subject: "s")
    #expect(error.kind == kind)
    #expect(error.why.contains("00 MB"))
    #expect(error.remedy.contains("--longest-value"))
  }

  @Test("the statuses are those that a program promises")
  func statuses() {
    #expect(Failure.Kind.allCases.map(\.status) == [1, 2, 3, 3, 3, 4, 5, 70])
  }

  @Test("a store that this process has open is busy")
  func alreadyOpen() throws {
    let path = try StoreSample.make()
    let connection = try Connection(path: path, mode: .foreign)
    #expect(StoreSample.error(opening: path)?.kind == .busy)
    try connection.close()
    #expect(StoreSample.error(opening: path) == nil)
  }
}
