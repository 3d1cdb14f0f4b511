import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("Backups of stores in use", .temporaryFolder) struct BackupSetTests {
  private func make(_ stores: [String], at place: String) throws -> BackupSet {
    try BackupSet.make(of: stores.map { try StoreFiles($0) }, at: place, run: "b", wait: .zero)
  }

  @Test("the copy is the store, large values and all", arguments: ["DELETE", "WAL"], [2048, 4096])
  func copy(journal: String, pageSize: Int) throws {
    let sample = try SwapSample("ä \"q\"\n🦆.sqlite", journal: journal, pageSize: pageSize)
    let before = try Data(contentsOf: URL(filePath: sample.store))
    let set = try make([sample.store], at: samplePath("new/folder/kept"))
    #expect(set.parts.count == 1)
    #expect(set.parts[0].image == (try sample.image()))
    let files = try StoreFiles(set.parts[0].mainPath)
    #expect(
      try SwapSample.content(of: files.path, externals: files.externalDataFolder) == "old")
    #expect(try Data(contentsOf: URL(filePath: sample.store)) == before)
  }

  /// Another process that has the store open, and sets all rows in each transaction.
  private func write(_ store: String, until end: String) async {
    await #expect(processExitsWith: .success) { [store = store as String, end = end as String] in
      let app = try Connection(path: store, mode: .own(create: false))
      try app.execute("PRAGMA wal_autocheckpoint = 5")
      for number in 2..<100_000 where !Signal.isThere(end) {
        try app.execute("UPDATE ZPERSON SET Z_OPT = \(number)")
        if number == 5 { try Signal.ready(end + "-ready") }
        usleep(500)
      }
      try app.close()
    }
  }

  @Test(
    "an application that writes all the time is no hindrance, and each copy is of one moment",
    .alone)
  func liveWriter() async throws {
    let sample = try SwapSample(journal: "WAL")
    let end = samplePath("end")
    async let writer: Void = write(sample.store, until: end)
    try await Signal.come(end + "-ready")
    for place in 0..<5 {
      let set = try BackupSet.make(
        of: [StoreFiles(sample.store)], at: samplePath("kept-\(place)"), run: "b",
        wait: .seconds(5))
      let copy = try Store(set.parts[0].mainPath)
      let numbers = "SELECT count(DISTINCT Z_OPT), count(*), min(Z_OPT) >= 5 FROM ZPERSON"
      let row = try #require(try copy.connection.rows(numbers).first)
      #expect(row.map(\.integer) == [1, 300, 1])
    }
    try Signal.give(end)
    await writer
  }

  @Test("a backup that is not there is reported as that") func missing() {
    let path = samplePath("nothing")
    let error = #expect(throws: Failure.self) { try BackupSet.read(path) }
    #expect(error?.why == "There is no such file.")
    #expect(error?.subject == path)
  }

  @Test("several stores go into one, each found by its path or its name")
  func several() throws {
    let (first, second) = (try SwapSample("one/a.sqlite"), try SwapSample("two/a.sqlite"))
    let third = try SwapSample("two/c.sqlite")
    let place = samplePath("kept")
    _ = try make([first.store, second.store, third.store], at: place)
    let set = try BackupSet.read(place)
    #expect(set.parts.map(\.store) == [first.store, second.store, third.store])
    #expect(try set.part(for: second.store).path == set.parts[1].path)
    #expect(try set.part(for: "/elsewhere/c.sqlite").path == set.parts[2].path)
    for store in ["/elsewhere/a.sqlite", "/elsewhere/d.sqlite"] {
      let error = #expect(throws: Failure.self) { _ = try set.part(for: store) }
      #expect(error?.remedy.contains(set.parts[0].path) == true)
    }
  }

  @Test("nothing is written over, and what a killed process left does not matter")
  func refusal() throws {
    let sample = try SwapSample()
    let place = samplePath("kept")
    try FileManager.default.createDirectory(
      atPath: place + ".pipeline-part/a.sqlite", withIntermediateDirectories: true)
    _ = try make([sample.store], at: place)
    #expect(!FileManager.default.fileExists(atPath: place + ".pipeline-part"))
    let before = try FolderState(place)
    #expect(throws: Failure.self) { _ = try make([sample.store], at: place) }
    #expect(try FolderState(place) == before)
  }

  @Test("a list that was changed is not believed")
  func list() throws {
    let (first, second) = (try SwapSample("a.sqlite"), try SwapSample("b.sqlite"))
    let place = samplePath("kept")
    _ = try make([first.store, second.store], at: place)
    let url = URL(filePath: place + "/backups.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    try Data(text.replacing("b.sqlite", with: "../x").utf8).write(to: url)
    #expect(throws: Failure.self) { _ = try BackupSet.read(place) }
  }

  @Test("a writer that does not let go makes it busy, and nothing is made")
  func busy() async throws {
    let sample = try SwapSample()
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("BEGIN EXCLUSIVE")
    await #expect(processExitsWith: .exitCode(5)) {
      [store = sample.store as String, place = samplePath("kept") as String] in
      do {
        _ = try BackupSet.make(of: [StoreFiles(store)], at: place, run: "b", wait: .zero)
      } catch let error as Failure {
        exit(error.kind.status)
      }
    }
    try app.close()
    #expect(!FileManager.default.fileExists(atPath: samplePath("kept")))
  }
}
