import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("A store that begins as a log", .temporaryFolder) struct LoggedStartTests {
  private static let body = MappingModels.attribute("n", "Integer 16", "optional=\"YES\"")
  private static let files = ["next.sqlite", "next.sqlite-wal", "next.sqlite-base"]

  private func sample() throws -> CopySample {
    try CopySample.entity(
      Self.body, Self.body + MappingModels.attribute("m", "String", "optional=\"YES\""),
      rows: """
        WITH RECURSIVE k(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM k WHERE v < 500)
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) SELECT v, 1, 1, v % 7 FROM k
        """)
  }

  private func finish(_ builder: StoreBuilder) throws -> PageImage {
    try CopySample.copyAll(builder)
    _ = try LinkCopy(builder).run()
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: builder.path, mode: .foreign)
    defer { try? store.close() }
    #expect(try store.problems(.full) == [])
    #expect(try store.integer("SELECT sum(ZN) FROM ZA") == 1497)
    return try store.pageImage()
  }

  @Test("it becomes what a store is that begins as an empty file") func same() throws {
    let sample = try sample()
    let plain = try finish(try sample.builder())
    try FileManager.default.removeItem(atPath: sample.path)
    let logged = try finish(try sample.builder(start: .logged))
    #expect(logged.pageCount == plain.pageCount)
    #expect(Self.files.allSatisfy { FileManager.default.fileExists(atPath: samplePath($0)) })
  }

  @Test("a killed run resumes it behind the last commit") func resumed() throws {
    let sample = try sample()
    do {
      let builder = try sample.builder(start: .logged)
      let copy = try builder.copy(
        of: try #require(sample.mapping.objects.first), limits: ChunkLimits(rows: 60))
      _ = try copy.chunk()
      _ = try copy.chunk()
    }
    let builder = try sample.builder(start: .logged)
    #expect(builder.isResumed)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZA") == 120)
    _ = try finish(builder)
  }

  @Test(
    "one that a power cut has left without its base, or with a part of it, is made again",
    arguments: [nil, 0, 50, 4096])
  func noBase(length: Int?) throws {
    let sample = try sample()
    try sample.builder(start: .logged).close()
    let base = URL(filePath: samplePath("next.sqlite-base"))
    try FileManager.default.removeItem(at: base)
    if let length { try Data(count: length).write(to: base) }
    let builder = try sample.builder(start: .logged)
    #expect(!builder.isResumed)
    _ = try finish(builder)
  }

  @Test("a run that was killed between two of its files begins again", arguments: files)
  func alone(name: String) throws {
    let sample = try sample()
    try sample.builder(start: .logged).close()
    for other in Self.files where other != name {
      try FileManager.default.removeItem(atPath: samplePath(other))
    }
    let builder = try sample.builder(start: .logged)
    #expect(!builder.isResumed)
    _ = try finish(builder)
  }
}
