import CoreDataStore
import Formats
import Foundation
import OperatingSystem
import SQLite
import StoreReplacement
import StoreTestSupport

/// A store and the one that is to take its place, made for their pages: how long they are, how
/// many, how they are laid out.
struct Shape: Sendable {
  /// The size of the old store's pages, and of the new one's.
  var pages = (old: 4096, new: 4096)
  /// How many rows they have.
  var rows = (old: 300, new: 400)
  /// The auto_vacuum of the old one: 0 none, 1 full, 2 incremental.
  var vacuum = 2
  var journal = "DELETE"
  /// Whether the new one is on top of the old one.
  var isLayered = false

  static let all: [(name: String, shape: Shape)] = [
    ("pages of 512 bytes that get more", Shape(pages: (512, 512))),
    (
      "pages of 512 bytes that get fewer, in WAL mode",
      Shape(pages: (512, 512), rows: (400, 90), journal: "WAL")
    ),
    ("pages of 64 KiB that get more", Shape(pages: (65_536, 65_536), rows: (900, 2000))),
    ("pages of 64 KiB that get fewer", Shape(pages: (65_536, 65_536), rows: (2000, 900))),
    ("no vacuum", Shape(rows: (400, 100), vacuum: 0)),
    ("full vacuum, in WAL mode", Shape(vacuum: 1, journal: "WAL")),
    ("a layer", Shape(rows: (400, 100), isLayered: true)),
    (
      "a layer of pages of 1 KiB, in WAL mode",
      Shape(pages: (1024, 1024), journal: "WAL", isLayered: true)
    ),
    ("pages of another size", Shape(pages: (8192, 4096))),
    ("pages of another size, in WAL mode", Shape(pages: (1024, 4096), journal: "WAL")),
  ]
}

// Making them.
extension Shape {
  private static let run = "6E4B9C1E-0000-4000-8000-000000000001"

  /// Lays the old store and a run that has sealed the new one.
  func lay(in folder: URL) throws {
    let path = folder.appending(path: Sample.store).path
    try make(path, "old", rows.old, size: pages.old, vacuum: vacuum, journal: journal, run: nil)
    let place = try WorkFolder(store: path)
    try place.make()
    var state = try RunState(run: Self.run, tool: "1", folder: place)
    state.source = try SourceSnapshot.make(place).record
    state.phase = .copying
    if isLayered {
      try Overlay.make(at: place.nextPath, on: place.sourcePath)
      let next = try Connection(path: place.nextPath, mode: .own(create: false))
      try next.execute("DELETE FROM ZPERSON; DELETE FROM Z_METADATA")
      try fill(next, "new", rows.new, run: Self.run)
    } else {
      try make(place.nextPath, "new", rows.new, size: pages.new, run: Self.run)
    }
    try StagedStore.seal(place, &state)
  }

  private func make(
    _ path: String, _ word: String, _ rows: Int, size: Int, vacuum: Int = 2,
    journal: String = "DELETE", run: String?
  ) throws {
    var mode = OpenMode.own(create: true)
    (mode.durability, mode.pageSize, mode.autoVacuum) = (.off, size, vacuum)
    let store = try Connection(path: path, mode: mode)
    try store.execute(
      "PRAGMA journal_mode = \(journal); " + StoreSample.fixedTables + StoreSample.personTable)
    try fill(store, word, rows, run: run)
  }

  private func fill(_ store: Connection, _ word: String, _ rows: Int, run: String?) throws {
    try store.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO ZPERSON SELECT i, 1, 1, printf('%s %0100d', ?2, i), NULL FROM n
      """, [.integer(Int64(rows)), .text(word)])
    var entries = StoreSample.metadata(of: try StoreSample.model())
    if let run { entries["PipelineLog"] = .array([.dictionary(["run": .string(run)])]) }
    let plist = try BinaryPropertyListWriter.write(.dictionary(entries))
    try store.run(
      "INSERT INTO Z_METADATA VALUES (1, ?1, ?2)", [.text(StoreSample.uuid), .blob(plist)])
    try store.close()
  }

  /// What the child does: `Torture swap STORE`.
  static func swap(_ store: String) throws -> Int32 {
    do {
      let place = try WorkFolder(store: store)
      guard let state = try RunState.read(place) else { return 2 }
      let result = try Swap(place, state, SwapChoices(backupKeep: .none)).run()
      for warning in result.warnings { print("warning: \(warning)") }
      return 0
    } catch let error as Failure {
      print(error)
      return error.kind.status
    }
  }
}
