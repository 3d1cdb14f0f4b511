import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Stores that mean harm", .temporaryFolder) struct HostileStoreTests {
  /// Opens, recognises and surveys; the error must be a store's or a model's.
  private func look(at path: String) throws -> Failure? {
    do {
      let store = try Store(path)
      _ = try store.facts(store.recognise())
      return nil
    } catch let error as Failure {
      #expect(!error.why.isEmpty && !error.remedy.isEmpty)
      return error
    }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func write(_ bytes: some Sequence<UInt8>, _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test(
    "a Z_PRIMARYKEY that makes no sense is refused",
    arguments: [
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 77",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = x'00'", "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many'",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Nobody'", "DROP TABLE Z_PRIMARYKEY",
      """
      INSERT INTO Z_PRIMARYKEY WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n
      WHERE i < 200000) SELECT i, 'E' || i, 0, 0 FROM n
      """,
    ])
  func primaryKeys(sql: String) throws {
    let path = try StoreSample.make { try $0.execute(sql) }
    #expect(try look(at: path)?.kind == .unusable)
  }

  @Test("a file cut off at any place is refused, or sound as far as it goes")
  func truncated() throws {
    let whole = try bytes(StoreSample.make())
    for length in [0, 1, 99] + Array(stride(from: 512, to: whole.count, by: 512)) {
      let path = samplePath("cut.sqlite")
      try write(whole.prefix(length), path)
      let error = try look(at: path)
      #expect(error?.kind == .unusable, "cut at \(length)")
    }
  }

  @Test(
    "a real store cut off at any place is refused",
    .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
  func truncatedCorpus() throws {
    let whole = try bytes(CorpusStores.copy(CorpusStores.named("SampleModel_V2")))
    for length in stride(from: 512, to: whole.count, by: 512) {
      try write(whole.prefix(length), samplePath("cut.sqlite"))
      #expect(try look(at: samplePath("cut.sqlite"))?.kind == .unusable, "cut at \(length)")
    }
  }

  @Test(
    "flipped bits are found or do no harm",
    .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
    arguments: ["SampleModel_V1", "SampleModel2_V2"])
  func flippedBits(store: String) throws {
    let whole = try bytes(CorpusStores.copy(CorpusStores.named(store)))
    var random = SeededGenerator(state: 2009)
    for round in 0..<100 {
      var damaged = whole
      for _ in 0...(round % 8) {
        let place = Int(random.next() % UInt64(damaged.count))
        damaged[place] ^= 1 << UInt8(random.next() % 8)
      }
      try write(damaged, samplePath("flipped.sqlite"))
      let before = try FolderState()
      _ = try look(at: samplePath("flipped.sqlite"))
      #expect(try FolderState() == before, "round \(round)")
    }
  }

  @Test("what is no store file is refused at once")
  func otherThings() throws {
    try write([UInt8](repeating: 7, count: 8192), samplePath("encrypted.sqlite"))
    #expect(try look(at: samplePath("encrypted.sqlite"))?.why.contains("ncrypted") == true)
    #expect(try look(at: samplePath("nothing.sqlite"))?.why.contains("no such file") == true)
    #expect(try look(at: TemporaryFolder.url.path)?.why.contains("It is a folder") == true)
    #expect(try look(at: "")?.kind == .unusable)
    #expect(try look(at: "a\0b")?.kind == .unusable)
    try FileManager.default.createSymbolicLink(
      atPath: samplePath("loop"), withDestinationPath: samplePath("loop"))
    #expect(try look(at: samplePath("loop")) != nil)
  }

  @Test("a FIFO as the store, or next to it, is refused and not waited at")
  func fifo() throws {
    try makePipe("pipe.sqlite")
    #expect(try look(at: samplePath("pipe.sqlite"))?.why.contains("not a regular file") == true)
    for suffix in ["-wal", "-journal", "-shm"] {
      let path = try StoreSample.make("b\(suffix).sqlite")
      try makePipe("b\(suffix).sqlite\(suffix)")
      #expect(try look(at: path)?.kind == .unusable, "\(suffix)")
    }
  }

  private func makePipe(_ name: String) throws {
    let maker = Process()
    maker.executableURL = URL(filePath: "/usr/bin/mkfifo")
    maker.arguments = [samplePath(name)]
    try maker.run()
    maker.waitUntilExit()
    try #require(maker.terminationStatus == 0)
  }

  @Test("a journal that names a file to delete is refused, and the file stays")
  func superJournal() throws {
    let path = try StoreSample.make()
    let victim = samplePath("victim")
    try write([1], victim)
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let name = Array(victim.utf8)
    var journal = magic + number(0) + number(1) + number(3) + number(512) + number(4096)
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    let sum = name.reduce(0) { $0 + Int($1) }
    journal += number(1) + name + number(name.count) + number(sum) + magic
    try write(journal, path + "-journal")
    let before = try FolderState()
    let error = try look(at: path)
    #expect(error?.why.contains("names a file that SQLite would delete") == true)
    #expect(try FolderState() == before)
  }

  @Test("garbage in the -wal and the -journal is as good as nothing")
  func garbageBeside() throws {
    for suffix in ["-wal", "-journal"] {
      let path = try StoreSample.make("c\(suffix).sqlite")
      try write((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, path + suffix)
      let before = try FolderState()
      #expect(try look(at: path) == nil, "\(suffix)")
      #expect(try FolderState() == before)
    }
  }
}

/// A generator that gives the same numbers on every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
