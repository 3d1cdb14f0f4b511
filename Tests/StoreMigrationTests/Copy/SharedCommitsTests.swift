import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Commits that units of work share", .temporaryFolder) struct SharedCommitsTests {
  private static let names = (0..<30).map { String(format: "E%02ld", $0) }

  private struct Stopped: Error {}

  private func sample() throws -> CopySample {
    func model(_ attributes: String) -> String {
      Self.names.map { "<entity name=\"\($0)\">\(attributes)</entity>" }.joined()
    }
    let old = MappingModels.attribute("n", "Integer 16", "optional=\"YES\"")
    let new = old + MappingModels.attribute("m", "Integer 16", "optional=\"YES\"")
    return try CopySample(
      model(old), model(new),
      rows: Self.names.enumerated().map { place, name in
        "INSERT INTO Z\(name) (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, \(place + 1), 1, 1), "
          + "(2, \(place + 1), 1, 2);"
      }.joined())
  }

  private func copy(_ builder: StoreBuilder, _ name: String) throws {
    let object = try #require(builder.mapping.objects(from: name))
    let copy = try builder.copy(of: object)
    while try copy.chunk() {}
  }

  /// How often the file was committed: "the file change counter is incremented whenever the
  /// database file is unlocked after having been modified" (Database File Format, 1.3.8).
  private func commits(_ builder: StoreBuilder) throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(filePath: builder.path))
    defer { try? file.close() }
    try file.seek(toOffset: 24)
    return try (file.read(upToCount: 4) ?? Data()).reduce(0) { $0 << 8 | Int($1) }
  }

  @Test("entities of a few objects share one, up to the limits", arguments: [(1000, 1), (12, 8)])
  func few(rows: Int, most: Int) throws {
    let builder = try sample().builder()
    let before = try commits(builder)
    try builder.sharingCommits(ChunkLimits(rows: rows, time: .seconds(100))) {
      for name in Self.names { try copy(builder, name) }
      #expect(builder.connection.isInTransaction)
    }
    #expect(!builder.connection.isInTransaction)
    let made = try commits(builder) - before
    #expect(made > most / 2 && made <= most)
    let rows = try Self.names.map { try builder.connection.integer("SELECT count(*) FROM Z\($0)") }
    #expect(rows.allSatisfy { $0 == 2 })
  }

  @Test("outside of that each has its own") func own() throws {
    let builder = try sample().builder()
    let before = try commits(builder)
    for name in Self.names { try copy(builder, name) }
    #expect(try commits(builder) - before >= Self.names.count)
  }

  @Test("what was done before an error is found again, what was not is done again")
  func failed() throws {
    let sample = try sample()
    #expect(throws: Stopped.self) {
      let builder = try sample.builder()
      try builder.sharingCommits {
        for name in Self.names.prefix(5) { try copy(builder, name) }
        throw Stopped()
      }
    }
    let builder = try sample.builder()
    #expect(builder.isResumed)
    for (place, name) in Self.names.enumerated() {
      let count = try builder.connection.integer("SELECT count(*) FROM main.Z\(name)")
      #expect(count == (place < 5 ? 2 : 0))
    }
    for name in Self.names { try copy(builder, name) }
    #expect(try builder.connection.integer("SELECT sum(ZN) FROM main.ZE29") == 3)
  }

  @Test("a unit that fails leaves those before it whole, and nothing of itself")
  func failedUnit() throws {
    let sample = try sample()
    let builder = try sample.builder()
    try builder.connection.execute("DROP TABLE main.ZE03")
    #expect(throws: Failure.self) {
      try builder.sharingCommits { for name in Self.names { try copy(builder, name) } }
    }
    #expect(!builder.connection.isInTransaction)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZE02") == 2)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZE04") == 0)
    #expect(try builder.progress(of: "copy E03 E03") == nil)
  }
}
