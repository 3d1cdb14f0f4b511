import CoreDataStore
import Foundation
import SQLite
import TestSupport
import Testing

@testable import LargeStore

@Suite("Large stores", .temporaryFolder) struct WorkloadTests {
  @Test("each is a store of its model's first version, with so many rows", arguments: [0, 1, 2])
  func store(_ number: Int) throws {
    let workload = Workload.all[number]
    try workload.write(into: TemporaryFolder.url, rows: 3)
    let store = try Store(path("\(workload.title).sqlite"))
    let models = try ModelFile(path("\(workload.title).xcdatamodeld"))
    let model = try models.model(named: workload.title)
    #expect(store.metadata.hashes == VersionHashes(of: model).entities)
    #expect(try rows("SELECT max(Z_MAX) FROM Z_PRIMARYKEY", in: workload) >= 3)
  }

  @Test("it is the same each time", arguments: [0, 1, 2])
  func same(_ number: Int) throws {
    let contents = try ["one", "two"].map { name in
      let folder = TemporaryFolder.url.appending(path: name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Workload.all[number].write(into: folder, rows: 2)
      return try Data(
        contentsOf: folder.appending(path: "\(Workload.all[number].title).sqlite"))
    }
    #expect(contents[0] == contents[1])
  }

  @Test("the SQL of the next version makes tables and indexes")
  func schema() throws {
    try Workload.things.write(into: TemporaryFolder.url, rows: 10)
    let connection = try Connection(path: path("empty"), mode: .own(create: true))
    for kind in ["tables", "indexes"] {
      try connection.execute(
        String(contentsOfFile: path("rename.\(kind).sql"), encoding: .utf8))
    }
    #expect(try connection.integer("SELECT count(ZMASS) FROM ZITEM") == 0)
    #expect(
      try connection.integer("SELECT count(*) FROM sqlite_master WHERE type = 'index'") == 5)
    try connection.close()
  }

  private func path(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }

  private func rows(_ sql: String, in workload: Workload) throws -> Int64 {
    let connection = try Connection(path: path("\(workload.title).sqlite"), mode: .foreign)
    defer { try? connection.close() }
    return try connection.integer(sql) ?? 0
  }
}
