import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreReplacement
import TestSupport
import Testing

@Suite("Copies that leave nothing next to the store", .temporaryFolder)
struct UntouchedSourceTests {
  private var url: URL { TemporaryFolder.url.appending(path: "home/S.sqlite") }
  private var model: String { "<entity name=\"A\">\(LossSample.attribute("t", "String"))</entity>" }

  private func make(_ mode: String) throws -> StoreSchema {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: false)
    let schema = try StoreSchema(of: MappingModels.model(model, name: "1"))
    let store = try NewStore(at: url.path, schema: schema)
    try store.make(.tables)
    try store.connection.execute(
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')")
    _ = try store.connection.setJournalMode(mode)
    try store.close()
    return schema
  }

  /// Every file of the store's folder with its times, size and bytes.
  private func state() throws -> [String: String] {
    let folder = url.deletingLastPathComponent()
    var state: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) + ["."] {
      let file = folder.appending(path: name)
      let facts = try FileManager.default.attributesOfItem(atPath: file.path)
      let bytes = name == "." ? nil : try Data(contentsOf: file)
      state[name] =
        "\(facts[.modificationDate] ?? "") \(facts[.size] ?? "") \(bytes?.hashValue ?? 0)"
    }
    return state
  }

  private func folder() throws -> WorkFolder {
    let folder = try WorkFolder(
      store: url.path, work: TemporaryFolder.url.appending(path: "work").path)
    try folder.make()
    return folder
  }

  private func rows(_ folder: WorkFolder) throws -> [[Value]] {
    let copy = try Connection(path: folder.sourcePath, mode: .foreign)
    defer { try? copy.close() }
    return try copy.rows("SELECT ZT FROM ZA ORDER BY Z_PK")
  }

  @Test("a store as an application left it stays as it is", arguments: ["delete", "wal"])
  func plain(mode: String) throws {
    _ = try make(mode)
    let (before, folder) = (try state(), try folder())
    let snapshot = try SourceSnapshot.untouched(folder)
    #expect(snapshot.record.journal == mode)
    #expect(try rows(folder) == [[.text("a")], [.text("b")]])
    #expect(try state() == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["source.sqlite"])
  }

  @Test("what is in a -wal is copied, and the -wal and its -shm stay as they are")
  func pending() throws {
    let schema = try make("wal")
    let writer = try Connection(path: url.path, mode: .own(create: false))
    try writer.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (3, 1, 1, 'c')")
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(
        atPath: url.path + suffix, toPath: url.path + ".kept" + suffix)
    }
    try writer.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
      try FileManager.default.moveItem(
        atPath: url.path + ".kept" + suffix, toPath: url.path + suffix)
    }
    let (before, folder) = (try state(), try folder())
    _ = try SourceSnapshot.untouched(folder)
    #expect(try rows(folder) == [[.text("a")], [.text("b")], [.text("c")]])
    #expect(try state() == before)
    #expect(before.keys.sorted() == [".", "S.sqlite", "S.sqlite-shm", "S.sqlite-wal"])
    try FileManager.default.removeItem(atPath: folder.sourcePath)
    let (_, cut) = try SourceSnapshot.sampled(folder, schema, objects: 10)
    #expect(try rows(folder).count == 3)
    #expect(cut == 0)
    #expect(try state() == before)
    // Nor where nothing is copied first, once nobody has written for a while.
    try FileManager.default.removeItem(atPath: folder.sourcePath)
    usleep(2_200_000)
    let (sample, _) = try SourceSnapshot.sampled(folder, schema, objects: 10, copiesBelow: 0)
    #expect(try rows(folder).count == 3)
    #expect(sample.record.journal == "wal")
    #expect(try state() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["source.sqlite"])
  }

  @Test("a store that is locked by a writer is busy, after the wait") func locked() throws {
    let schema = try make("delete")
    let writer = try Connection(path: url.path, mode: .own(create: false))
    try writer.execute("BEGIN EXCLUSIVE")
    let folder = try folder()
    // The lock is that of another connection of this process: SQLite tells it apart.
    let error = #expect(throws: Failure.self) {
      try SourceSnapshot.sampled(folder, schema, objects: 1, wait: .milliseconds(10))
    }
    #expect(error?.kind == .busy)
    try writer.execute("ROLLBACK")
    try writer.close()
  }
}
