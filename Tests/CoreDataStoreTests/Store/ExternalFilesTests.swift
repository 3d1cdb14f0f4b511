import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("External files", .temporaryFolder) struct ExternalFilesTests {
  private static let picture = [ExternalColumn(table: "ZPERSON", column: "ZPICTURE")]

  private static func name(_ number: Int) -> String {
    "0F8FAD5B-D9CB-469F-A165-" + String(format: "%012d", number)
  }

  /// A store with references to files of these numbers.
  private func store(_ numbers: [Int]) throws -> Store {
    let path = try StoreSample.make { store in
      for (place, number) in numbers.enumerated() {
        try store.run(
          "INSERT INTO ZPERSON VALUES (?1, 1, 1, NULL, ?2)",
          [.integer(Int64(place + 10)), .blob([2] + Array(Self.name(number).utf8) + [0])])
      }
    }
    return try Store(path)
  }

  private func folder() throws -> String {
    let folder = samplePath(".a_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test("without a folder what is referred to is missing, and nothing is a problem")
  func noFolder() throws {
    let files = try store([1, 2, 2]).externalFiles(Self.picture)
    #expect(files.missing == 2 && files.present == 0 && files.orphaned == 0)
    #expect(files.missingNames.sorted() == [Self.name(1), Self.name(2)])
    #expect(files.folderProblem == nil)
  }

  @Test("all are counted, and only some are named")
  func manyNames() throws {
    let folder = try folder()
    for number in 100..<130 {
      try Data([1]).write(to: URL(filePath: "\(folder)/\(Self.name(number))"))
    }
    let files = try store(Array(0..<30)).externalFiles(Self.picture)
    #expect(files.missing == 30 && files.missingNames.count == ExternalFiles.mostNames)
    #expect(files.orphaned == 30 && files.orphanedNames.count == ExternalFiles.mostNames)
  }

  @Test("a folder in the place of a file is no file")
  func folderForFile() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      atPath: "\(folder)/\(Self.name(1))", withIntermediateDirectories: false)
    let files = try store([1]).externalFiles(Self.picture)
    #expect(files.present == 0 && files.missing == 1 && files.orphaned == 0)
  }

  @Test("without columns every file is an orphan")
  func noColumns() throws {
    try Data([1]).write(to: URL(filePath: "\(try folder())/\(Self.name(1))"))
    let files = try store([1]).externalFiles([])
    #expect(files.orphanedNames == [Self.name(1)] && files.missing == 0)
  }

  @Test("a column that is not there is an error, and the next survey is not disturbed by it")
  func noColumn() throws {
    let store = try store([1])
    let missing = [ExternalColumn(table: "ZPERSON", column: "ZFILM")]
    #expect(throws: Failure.self) { try store.externalFiles(missing) }
    #expect(try store.externalFiles(Self.picture).missing == 1)
  }
}
