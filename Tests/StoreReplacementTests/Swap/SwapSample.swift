import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

/// A store, and a run that has made the store to take its place.
struct SwapSample: Sendable {
  static let run = "6E4B9C1E-0000-4000-8000-000000000001"
  /// A large value of both stores, of the old one, of the new one.
  static let both = "00000000-0000-4000-8000-00000000000A"
  static let onlyOld = "00000000-0000-4000-8000-00000000000B"
  static let onlyNew = "00000000-0000-4000-8000-00000000000C"

  /// A child of another test has all open files for a moment, as if it used them.
  static let wait = Duration.seconds(3)

  let folder: WorkFolder

  var store: String { folder.store }
  var externals: String { (try? StoreFiles(store).externalDataFolder) ?? "" }

  /// Makes both stores; the run is validated.
  ///
  /// A layered new store is on top of the old one.
  init(
    _ name: String = "a.sqlite", journal: String = "DELETE", pageSize: Int = 4096,
    newPageSize: Int = 4096, isLayered: Bool = false
  ) throws {
    let path = samplePath(name)
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Self.make(
      path, word: "old", rows: 300, pageSize: pageSize, journal: journal,
      blobs: [Self.both, Self.onlyOld])
    let files = try StoreFiles(path)
    try Self.lay([Self.both, Self.onlyOld], in: files.externalDataFolder)
    try self.init(of: path)
    try stage(pageSize: newPageSize, isLayered)
  }

  /// The sample that is there already, for a process that resumes it.
  init(of store: String) throws { folder = try WorkFolder(store: store) }

  private func stage(pageSize: Int, _ isLayered: Bool) throws {
    try folder.make()
    var state = try RunState(run: Self.run, tool: "1", folder: folder)
    state.source = try SourceSnapshot.make(folder).record
    state.phase = .copying
    if isLayered {
      try Overlay.make(at: folder.nextPath, on: folder.sourcePath)
      let next = try Connection(path: folder.nextPath, mode: .own(create: false))
      try next.execute("DELETE FROM ZPERSON; DELETE FROM Z_PRIMARYKEY; DELETE FROM Z_METADATA")
      try Self.fill(next, word: "new", rows: 340, run: Self.run, blobs: [Self.both, Self.onlyNew])
    } else {
      try Self.make(
        folder.nextPath, word: "new", rows: 340, pageSize: pageSize, run: Self.run,
        blobs: [Self.both, Self.onlyNew])
    }
    try Self.lay([Self.onlyNew], in: folder.nextExternals)
    try StagedStore.seal(folder, &state)
  }

  static func make(
    _ path: String, word: String, rows: Int64, pageSize: Int = 4096, journal: String = "DELETE",
    run: String? = nil, blobs: [String]
  ) throws {
    var mode = OpenMode.own(create: true)
    mode.durability = .off
    mode.pageSize = pageSize
    let store = try Connection(path: path, mode: mode)
    try store.execute(
      "PRAGMA journal_mode = \(journal); " + StoreSample.fixedTables + StoreSample.personTable)
    try fill(store, word: word, rows: rows, run: run, blobs: blobs)
  }

  /// Fills the tables, and closes the store.
  private static func fill(
    _ store: Connection, word: String, rows: Int64, run: String?, blobs: [String]
  ) throws {
    try store.execute("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, \(rows))")
    try store.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO ZPERSON SELECT i, 1, 1, printf('%s %050d', ?2, i), NULL FROM n
      """, [.integer(rows), .text(word)])
    for (place, name) in blobs.enumerated() {
      let reference = try #require(ExternalReference(name))
      try store.run(
        "UPDATE ZPERSON SET ZPICTURE = ?1 WHERE Z_PK = ?2",
        [.blob(reference.stored), .integer(Int64(place + 1))])
    }
    var entries = StoreSample.metadata(of: try StoreSample.model())
    if let run { entries["PipelineLog"] = .array([.dictionary(["run": .string(run)])]) }
    let plist = try BinaryPropertyListWriter.write(.dictionary(entries))
    try store.run(
      "INSERT INTO Z_METADATA VALUES (1, ?1, ?2)", [.text(StoreSample.uuid), .blob(plist)])
    try store.close()
  }

  static func lay(_ names: [String], in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in names {
      try Data("content of \(name)".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }
  }

  /// Swaps, or resumes a swap.
  @discardableResult
  func swap(
    _ choices: SwapChoices = SwapChoices(wait: SwapSample.wait), progress: SwapProgress = { _ in }
  ) throws -> SwapResult {
    let state = try #require(try RunState.read(folder))
    return try Swap(folder, state, choices).run(progress: progress)
  }

  /// What an application that opens the store now would find: "old" or "new", each whole, or what
  /// is wrong.
  func content() throws -> String { try Self.content(of: store, externals: externals) }

  static func content(of path: String, externals: String) throws -> String {
    let store = try Store(path)
    let rows = try store.connection.rows(
      "SELECT count(*), count(DISTINCT substr(ZNAME, 1, 3)), min(substr(ZNAME, 1, 3)) FROM ZPERSON")
    let word = try #require(rows[0][2].string)
    let needed = word == "old" ? [both, onlyOld] : [both, onlyNew]
    for name in needed {
      let bytes = try? Data(contentsOf: URL(filePath: "\(externals)/\(name)"))
      guard bytes == Data("content of \(name)".utf8) else { return "\(word) without \(name)" }
    }
    let expected: Int64 = word == "old" ? 300 : 340
    return rows[0][0].integer == expected && rows[0][1].integer == 1 ? word : "mixture"
  }

  /// What SQLite's backup API makes of the store and the staged one.
  func imageByBackup() throws -> PageImage {
    let copy = try TemporaryClone(of: StoreFiles(store))
    let target = try Connection(path: copy.path, mode: .foreignWritable)
    defer { try? target.close() }
    _ = try target.setJournalMode("DELETE")
    let staged = try Connection(path: folder.nextPath, mode: .foreign)
    defer { try? staged.close() }
    try staged.copy(to: target, pagesPerStep: -1)
    return try target.pageImage()
  }

  /// The image of the store's content.
  func image() throws -> PageImage {
    let connection = try Connection(path: store, mode: .foreign)
    defer { try? connection.close() }
    return try connection.pageImage()
  }

  /// The names next to the store that belong to it.
  func names() throws -> [String] {
    let main = URL(filePath: store).lastPathComponent
    return try FileManager.default.contentsOfDirectory(
      atPath: URL(filePath: store).deletingLastPathComponent().path
    ).filter { $0.hasPrefix(main + "-") }.sorted()
  }
}
