import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite("Hostile stores", .temporaryFolder)
struct HostileStoreTests {
  private static var store: String { TemporaryFolder.url.appending(path: "Notes.sqlite").path }

  /// The bytes of the store and of what lies next to it under its name.
  private static func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    let own = names.filter { $0.hasPrefix("Notes.sqlite") && !$0.hasSuffix("-shm") }
    let pairs = own.map { name in
      (name, (try? Data(contentsOf: TemporaryFolder.url.appending(path: name))) ?? Data())
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test(
    "a run says what is wrong or saves the data, and never changes a store it does not replace",
    .timeLimit(.minutes(10)), arguments: HostileStore.all + HostileStore.long)
  func run(hostile: HostileStore) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try hostile.spoil(Self.store)
    let before = try Self.files()
    let outcome = try MeasuredTool.shell("pipeline run notes.pipeline Notes.sqlite")
    #expect(hostile.statuses.contains(outcome.status), "\(outcome.status): \(outcome.errors)")
    if !hostile.word.isEmpty {
      #expect((outcome.output + outcome.errors).contains(hostile.word), "\(outcome.errors)")
    }
    guard outcome.status != 0 else { return }
    #expect(!(outcome.output + outcome.errors).isEmpty)
    let after = try Self.files().filter { $0.key != "Notes.sqlite.pipeline" }
    #expect(after == before)
  }

  @Test(
    "a backup says what is wrong, or is the store", .timeLimit(.minutes(10)),
    arguments: HostileStore.all)
  func backup(hostile: HostileStore) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try hostile.spoil(Self.store)
    let before = try Self.files()
    let outcome = try MeasuredTool.shell("pipeline backup Notes.sqlite kept")
    #expect([0, 3].contains(outcome.status), "\(outcome.status): \(outcome.errors)")
    #expect(outcome.status == 0 || !outcome.errors.isEmpty)
    let kept = FileManager.default.fileExists(atPath: TemporaryFolder.url.path + "/kept")
    #expect(kept == (outcome.status == 0))
    #expect(try Self.files() == before)
  }

  @Test(
    "what only looks says what is wrong or shows it, and changes nothing", .timeLimit(.minutes(10)),
    arguments: HostileStore.all)
  func look(hostile: HostileStore) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try FileManager.default.copyItem(
      atPath: Self.store, toPath: TemporaryFolder.url.appending(path: "Good.sqlite").path)
    try hostile.spoil(Self.store)
    let before = try Self.files()
    for line in [
      "inspect Notes.sqlite", "inspect Notes.sqlite --models Notes.xcdatamodeld --json",
      "plan notes.pipeline Notes.sqlite", "status Notes.sqlite",
      "diff Good.sqlite Notes.sqlite --models Notes.xcdatamodeld",
    ] {
      let outcome = try MeasuredTool.shell("pipeline \(line)")
      #expect([0, 1, 2, 3].contains(outcome.status), "\(line): \(outcome)")
      #expect(!(outcome.output + outcome.errors).isEmpty, "\(line) says nothing")
    }
    #expect(try Self.files() == before)
  }

  @Test("a reference to a file elsewhere reads nothing from there", arguments: [true, false])
  func traversal(isLink: Bool) throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    try Data("secret".utf8).write(to: folder.appending(path: "secret"))
    let name = isLink ? "00000000-0000-4000-8000-00000000000A" : "../../../secret"
    let store = folder.appending(path: "Two.sqlite").path
    try NotesSample.makeStore(at: store, attachment: [2] + Array(name.utf8) + [0])
    if isLink {
      let external = folder.appending(path: ".Two_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: external.appending(path: name),
        withDestinationURL: folder.appending(path: "secret"))
    }
    let outcome = try Tool.shell(
      "pipeline upgrade Two.sqlite --models Notes.xcdatamodeld --to 'Notes 2' --force -o New.sqlite"
    )
    #expect([0, 1, 3].contains(outcome.status), "\(outcome.status): \(outcome.errors)")
    let copied = try? FileManager.default.subpathsOfDirectory(
      atPath: folder.appending(path: ".New_SUPPORT").path)
    #expect((copied ?? []).filter { $0.contains(name) } == [])
    #expect(
      try String(contentsOf: folder.appending(path: "secret"), encoding: .utf8) == "secret")
  }
}
