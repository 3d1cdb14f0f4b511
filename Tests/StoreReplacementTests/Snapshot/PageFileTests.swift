import Foundation
import OperatingSystem
import SQLite
@testable import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("A file of all pages of a database", .temporaryFolder)
struct PageFileTests {
  @Test("it is the database", arguments: ["DELETE", "WAL"])
  func write(journal: String) throws {
    let path = try StoreSample.make(journal: journal)
    let store = try Connection(path: path, mode: .foreign)
    let image = try PageFile.write(store, to: samplePath("copy")) { _, _ in true }
    let copy = try Connection(path: samplePath("copy"), mode: .own(create: false))
    #expect(try copy.pageImage() == image && store.pageImage() == image)
    #expect(try copy.integer("SELECT count(*) FROM ZPERSON") == 3)
    #expect(try copy.problems(.full).isEmpty)
  }

  @Test("nothing is written over, and an error says what stopped it")
  func refusals() throws {
    let path = try StoreSample.make()
    let store = try Connection(path: path, mode: .foreign)
    #expect(throws: SQLiteError.self) {
      try PageFile.write(store, to: samplePath("stopped")) { _, _ in false }
    }
    try Data().write(to: URL(filePath: samplePath("there")))
    #expect(throws: SystemError.self) {
      try PageFile.write(store, to: samplePath("there")) { _, _ in true }
    }
  }
}
