import CoreDataStore
import Foundation
import SQLite
import TestSupport
import Testing

@testable import LargeStore

@Suite("Large stores", .temporaryFolder) struct WorkloadTests {
  private static let names = Workload.names

  @Test("each is a store of its model's first version, with so many rows", arguments: names)
  func store(_ name: String) throws {
    let workload = try #require(Workload.named(name, 3))
    try workload.write(into: TemporaryFolder.url, count: 3)
    let store = try Store(path("\(workload.title).sqlite"))
    let models = try ModelFile(path("\(workload.title).xcdatamodeld"))
    let model = try models.model(named: workload.title)
    #expect(store.metadata.hashes == VersionHashes(of: model).entities)
    #expect(try rows("SELECT max(Z_MAX) FROM Z_PRIMARYKEY", in: workload) >= 3)
  }

  @Test("a store of many rows makes no model of as many entities") func manyRows() {
    // A hundred million entities would be more text than there is memory.
    let versions = Workload.named("things", 100_000_000)?.versions ?? []
    #expect(!versions.isEmpty && versions.allSatisfy { $0.count < 10_000 })
  }

  @Test("it is the same each time", arguments: names)
  func same(_ name: String) throws {
    let workload = try #require(Workload.named(name, 2))
    let contents = try ["one", "two"].map { name in
      let folder = TemporaryFolder.url.appending(path: name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try workload.write(into: folder, count: 2)
      return try Data(contentsOf: folder.appending(path: "\(workload.title).sqlite"))
    }
    #expect(contents[0] == contents[1])
  }

  @Test("there are as many entities as are wanted, and each leads to the next")
  func entities() throws {
    let workload = Workload.entities(3)
    try workload.write(into: TemporaryFolder.url, count: 3)
    #expect(try rows("SELECT count(*) FROM Z_PRIMARYKEY", in: workload) == 3)
    #expect(try rows("SELECT count(ZNEXT) FROM ZE0002", in: workload) == 20)
    let models = try ModelFile(path("Entities.xcdatamodeld"))
    let model = try models.model(named: "Entities 2")
    let next = model.entity(named: "E0002")?.relationships.first { $0.name == "next" }
    #expect(next?.destination == "E0000")
  }

  @Test("a stage of its own comes last of those that make the new store")
  func lastStage() throws {
    try Workload.keys.write(into: TemporaryFolder.url, count: 2)
    let staged = try String(contentsOfFile: path("dedupe.staged.pipeline"), encoding: .utf8)
    #expect(staged.hasSuffix("stage \"dedupe\" { entity = \"Label\", key = \"name\" }\n"))
    let other = try String(contentsOfFile: path("find.staged.pipeline"), encoding: .utf8)
    #expect(other.hasSuffix("stage \"connect\" {}\n"))
  }

  @Test("the SQL of the next version makes tables and indexes")
  func schema() throws {
    try Workload.things.write(into: TemporaryFolder.url, count: 10)
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
