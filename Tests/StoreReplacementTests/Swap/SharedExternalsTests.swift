import Foundation
import SQLite
@testable import StoreReplacement
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Large values that two stores share", .temporaryFolder) struct SharedExternalsTests {
  /// Puts a copy of the sample's store, as it is now, next to it.
  private func copy(_ sample: SwapSample, to name: String) throws -> String {
    let path = samplePath(name)
    try FileManager.default.copyItem(atPath: sample.store, toPath: path)
    return path
  }

  /// What is in the files that begin with a name.
  private func files(_ name: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasPrefix(name) }.map {
        ($0, try Data(contentsOf: URL(filePath: samplePath($0))))
      })
  }

  private func isThere(_ name: String, _ sample: SwapSample) -> Bool {
    FileManager.default.fileExists(atPath: "\(sample.externals)/\(name)")
  }

  private func change(_ path: String, _ sql: String, leavesLog: Bool = false) throws {
    let store = try Connection(path: path, mode: .own(create: false))
    try store.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(sql)")
    if leavesLog {
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: path + ".copy" + suffix)
      }
    }
    try store.close()
    guard leavesLog else { return }
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
      try FileManager.default.moveItem(atPath: path + ".copy" + suffix, toPath: path + suffix)
    }
  }

  @Test("what a copy of the store refers to stays, with one warning, and the run is over")
  func copied() throws {
    let sample = try SwapSample()
    let other = try copy(sample, to: "a.bak")
    let before = try Data(contentsOf: URL(filePath: other))
    let result = try sample.swap()
    #expect(result.warnings.count == 1)
    #expect(result.warnings.first?.hasPrefix("1 file ") == true)
    #expect(result.warnings.first?.contains("a.bak in the same folder refers") == true)
    #expect(result.state.phase == .done)
    #expect(isThere(SwapSample.onlyOld, sample))
    #expect(try Data(contentsOf: URL(filePath: other)) == before)
    #expect(try SwapSample.content(of: other, externals: sample.externals) == "old")
  }

  @Test("what only the log of another store refers to stays, and the store is left as it is")
  func log() throws {
    let sample = try SwapSample()
    let other = try copy(sample, to: "a.bak")
    let reference = try #require(ExternalReference(SwapSample.onlyOld))
    try change(other, "UPDATE ZPERSON SET ZPICTURE = NULL")
    let hex = reference.stored.map { String(format: "%02x", $0) }.joined()
    try change(
      other, "UPDATE ZPERSON SET ZPICTURE = x'\(hex)' WHERE Z_PK = 9", leavesLog: true)
    let before = try files("a.bak")
    #expect(try sample.swap().warnings.count == 1)
    #expect(isThere(SwapSample.onlyOld, sample))
    #expect(try files("a.bak") == before)
  }

  @Test("a store that is in use, damaged or cut off may need everything")
  func unreadable() throws {
    let spoils: [(String) throws -> Connection?] = [
      { try Connection(path: $0, mode: .foreign) },
      { path in
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 8192)
        return nil
      },
      { path in
        try Data("encrypted".utf8).write(to: URL(filePath: path))
        try Data("log".utf8).write(to: URL(filePath: path + "-wal"))
        return nil
      },
    ]
    for (place, spoil) in spoils.enumerated() {
      let sample = try SwapSample("\(place)/a.sqlite")
      let user = try spoil(try copy(sample, to: "\(place)/a.bak"))
      let warnings = try sample.swap().warnings
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("a.bak may need them and cannot be read") == true)
      #expect(isThere(SwapSample.onlyOld, sample))
      try user?.close()
    }
  }

  @Test("what is no store, has another folder, or is a link to the store keeps nothing")
  func strangers() throws {
    let sample = try SwapSample()
    _ = try copy(sample, to: "b.sqlite")
    _ = try copy(sample, to: "a.b.sqlite")
    try Data("notes".utf8).write(to: URL(filePath: samplePath("a.txt")))
    try FileManager.default.createSymbolicLink(
      atPath: samplePath("a.link"), withDestinationPath: sample.store)
    try FileManager.default.createSymbolicLink(
      atPath: samplePath("a.gone"), withDestinationPath: samplePath("nowhere"))
    try FileManager.default.createDirectory(
      atPath: samplePath("a"), withIntermediateDirectories: false)
    #expect(try sample.swap().warnings == [])
    #expect(!isThere(SwapSample.onlyOld, sample))
  }

  @Test("a store of another name whose folder is a link to this one counts, too")
  func linkedFolder() throws {
    let sample = try SwapSample()
    _ = try copy(sample, to: "B.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: samplePath(".B_SUPPORT"), withDestinationPath: samplePath(".a_SUPPORT"))
    #expect(try sample.swap().warnings.count == 1)
    #expect(isThere(SwapSample.onlyOld, sample))
  }

  @Test("restoring a backup keeps what another store refers to")
  func restored() throws {
    let sample = try SwapSample()
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    _ = try copy(sample, to: "a.new")
    let restored = try StoreRestore(
      backup, to: WorkFolder.of(sample.store), wait: SwapSample.wait
    ).run("restore", tool: "1")
    #expect(restored.warnings.count == 1)
    #expect(isThere(SwapSample.onlyNew, sample))
    #expect(try sample.content() == "old")
  }

  @Test("a swap that was cut short after its commit warns when the run is abandoned", .alone)
  func abandoned() async throws {
    let sample = try SwapSample()
    _ = try copy(sample, to: "a.bak")
    await #expect(processExitsWith: .exitCode(9)) { [path = sample.store as String] in
      try SwapSample(of: path).swap { if $0 == .drop { _exit(9) } }
    }
    let (_, outcome, warnings) = try RunAbandoning.abandon(sample.folder, wait: SwapSample.wait)
    #expect(outcome == .finished)
    #expect(warnings.count == 1)
    #expect(isThere(SwapSample.onlyOld, sample))
  }
}
