import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Errors of stores", .temporaryFolder) struct StoreErrorTests {
  static let categories: [(code: Int32, category: StoreError.Category)] = [
    (5, .busy), (6, .busy), (13, .refused), (10, .refused), (8, .refused), (14, .refused),
    (11, .unusable), (26, .unusable), (9, .unusable), (1, .unusable),
  ]

  @Test("each of SQLite's codes belongs to a status", arguments: categories)
  func category(code: Int32, category: StoreError.Category) {
    let error = StoreError(SQLiteError(code, "words", path: "p"), what: "cannot", subject: "s")
    #expect(error.category == category)
    #expect(error.description.hasPrefix("cannot: s\nWords (SQLITE_"))
  }

  @Test(
    "a value that is too long for the memory says how to allow it",
    arguments: [(18, StoreError.Category.unusable), (7, .refused)] as [(Int32, StoreError.Category)]
  )
  func tooLong(code: Int32, category: StoreError.Category) {
    let error = StoreError(SQLiteError(code, "words", path: "p"), what: "cannot", subject: "s")
    #expect(error.category == category)
    #expect(error.why.contains("00 MB"))
    #expect(error.remedy.contains("--longest-value"))
  }

  @Test("the statuses are those that a program promises")
  func statuses() {
    let all: [StoreError.Category] = [.notCoreData, .unusable, .refused, .busy]
    #expect(all.map(\.status) == [3, 3, 4, 5])
  }

  @Test("a store that this process has open is busy")
  func alreadyOpen() throws {
    let path = try StoreSample.make()
    let connection = try Connection(path: path, mode: .foreign)
    #expect(StoreSample.error(opening: path)?.category == .busy)
    try connection.close()
    #expect(StoreSample.error(opening: path) == nil)
  }
}
