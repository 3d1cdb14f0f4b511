import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The swap", .temporaryFolder) struct SwapTests {
  @Test(
    "the new store takes the place of the old one, whatever the journal and the page sizes",
    arguments: ["DELETE", "WAL"], [(4096, 4096), (2048, 4096), (4096, 2048), (2048, 2048)])
  func swap(journal: String, sizes: (Int, Int)) throws {
    let sample = try SwapSample(journal: journal, pageSize: sizes.0, newPageSize: sizes.1)
    let next = try #require(try RunState.read(sample.folder)?.next)
    let identity = try DatabaseFile.examine(sample.store).identity
    let result = try sample.swap()
    #expect(result.warnings == [])
    #expect(result.state.phase == .done)
    #expect(try sample.content() == "new")
    #expect(try sample.image() == next)
    let file = try DatabaseFile.examine(sample.store)
    #expect(file.identity == identity, "the content changes, not the file")
    #expect(file.header.isWAL == (journal == "WAL"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.externals).sorted() == [
        SwapSample.both, SwapSample.onlyNew,
      ])
    #expect(try sample.names().filter { $0.hasSuffix("-journal") } == [])
  }

  @Test(
    "a new store on top of the old one takes its place, page for page as by SQLite's backup",
    arguments: ["DELETE", "WAL"], SwapChoices.Method.allCases)
  func layered(journal: String, method: SwapChoices.Method) throws {
    let sample = try SwapSample(journal: journal, isLayered: true)
    let (old, wanted) = try (sample.image(), sample.imageByBackup())
    let result = try sample.swap(SwapChoices(method: method, wait: SwapSample.wait))
    #expect(result.warnings == [] && result.state.phase == .done)
    #expect(try sample.content() == "new")
    #expect(try sample.image() == wanted && result.state.next == wanted && old != wanted)
    #expect(try DatabaseFile.examine(sample.store).header.isWAL == (journal == "WAL"))
    #expect(try StoreBackup.read(try #require(result.backup)).image == old)
    let run = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path)
    #expect(!run.contains { $0.hasPrefix("next.sqlite") })
  }

  /// Swaps; gives back bytes 18 and 19 of the store behind the exchange, before its mode is put
  /// back: "1 for legacy; 2 for WAL".
  private func modes(_ sample: SwapSample) throws -> [UInt8] {
    var modes: [UInt8] = []
    try sample.swap { step in
      guard step == .journal else { return }
      let file = try FileHandle(forReadingFrom: URL(filePath: sample.store))
      try file.seek(toOffset: 18)
      modes = Array(try file.read(upToCount: 2) ?? Data())
    }
    return modes
  }

  @Test("a store in WAL mode stays in it through the exchange, with an empty log or none")
  func stayingMode() throws {
    for hasLog in [false, true] {
      let sample = try SwapSample("\(hasLog).sqlite", journal: "WAL")
      if hasLog { try Data().write(to: URL(filePath: sample.store + "-wal")) }
      #expect(try modes(sample) == [2, 2], "\(hasLog)")
      #expect(!FileManager.default.fileExists(atPath: sample.store + "-wal"))
      #expect(try sample.content() == "new")
      #expect(try DatabaseFile.examine(sample.store).header.isWAL)
    }
    let other = try SwapSample("other.sqlite", journal: "WAL", newPageSize: 2048)
    #expect(try modes(other) == [1, 1], "pages of another size are written by SQLite")
    #expect(try DatabaseFile.examine(other.store).header.isWAL)
  }

  @Test("the backup is the old store, large values and all")
  func backup() throws {
    let sample = try SwapSample(journal: "WAL")
    let old = try sample.image()
    let path = try #require(try sample.swap().backup)
    let backup = try StoreBackup.read(path)
    try backup.verify()
    #expect(backup.image == old)
    let files = try StoreFiles(backup.mainPath)
    #expect(
      try SwapSample.content(of: backup.mainPath, externals: files.externalDataFolder) == "old")
  }

  @Test("rows that are still in the -wal alone are in the backup and in no danger")
  func pendingLog() async throws {
    let sample = try SwapSample(journal: "WAL")
    // A process that dies leaves its -wal behind.
    await #expect(processExitsWith: .exitCode(9)) { [path = sample.store as String] in
      let app = try Connection(path: path, mode: .own(create: false))
      try app.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZPERSON SET Z_OPT = 7")
      _exit(9)
    }
    var state = try #require(try RunState.read(sample.folder))
    state.source = try SourceSnapshot.make(sample.folder).record
    try state.write(sample.folder)
    #expect(try modes(sample) == [1, 1], "the log goes into the main file first")
    let backup = try #require(try StoreBackup.list(sample.folder).last)
    #expect(backup.files.map(\.name).filter { !$0.contains("/") } == ["a.sqlite"])
    let store = try Store(backup.mainPath)
    #expect(try store.connection.integer("SELECT sum(Z_OPT) FROM ZPERSON") == 2100)
    #expect(try sample.content() == "new")
  }

  @Test("a store can be renamed over instead", arguments: ["DELETE", "WAL"])
  func rename(journal: String) async throws {
    let sample = try SwapSample(journal: journal)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: sample.store)
    let choices = SwapChoices(method: .rename, wait: SwapSample.wait)
    await #expect(processExitsWith: .exitCode(9)) { [path = sample.store as String] in
      let choices = SwapChoices(method: .rename, wait: SwapSample.wait)
      try SwapSample(of: path).swap(choices) { if $0 == .check { _exit(9) } }
    }
    #expect(try sample.content() == "new")
    #expect(try sample.swap(choices).warnings == [])
    #expect(try sample.content() == "new")
    #expect(try DatabaseFile.examine(sample.store).header.isWAL == (journal == "WAL"))
    let mode = try FileManager.default.attributesOfItem(atPath: sample.store)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline-part"))
  }

  @Test("a store that cannot be renamed over stays as it was, with its journal mode")
  func failedRename() throws {
    let sample = try SwapSample(journal: "WAL")
    // A file cannot be made under the name of a folder that is not empty.
    let part = URL(filePath: sample.store + ".pipeline-part/in the way")
    try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
    let choices = SwapChoices(method: .rename, wait: SwapSample.wait)
    #expect(throws: Failure.self) { try sample.swap(choices) }
    #expect(try DatabaseFile.examine(sample.store).header.isWAL)
    #expect(try sample.content() == "old")
    try FileManager.default.removeItem(at: part.deletingLastPathComponent())
    #expect(try sample.swap(choices).warnings == [])
    #expect(try sample.content() == "new")
    #expect(try DatabaseFile.examine(sample.store).header.isWAL)
  }

  @Test(
    "a store may be called anything",
    arguments: ["a b.sqlite", "it's \"q\".sqlite", "two\nlines.sqlite", "🦆/ü?#%41.sqlite", "none"])
  func names(name: String) throws {
    let sample = try SwapSample(name, journal: "WAL")
    let result = try sample.swap()
    #expect(result.warnings == [])
    #expect(try sample.content() == "new")
    try StoreBackup.read(try #require(result.backup)).verify()
  }

  @Test("a link to the store stays a link, and its file is the one that changes")
  func link() throws {
    let sample = try SwapSample("real/a.sqlite")
    let link = samplePath("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sample.store)
    let linked = try SwapSample(of: link)
    #expect(linked.folder == sample.folder)
    try linked.swap()
    #expect(try sample.content() == "new")
    let type = try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
    #expect(type == .typeSymbolicLink)
  }

  @Test(
    "the journal mode of the result can be chosen",
    arguments: [("DELETE", SwapChoices.Journal.wal, true), ("WAL", .delete, false)])
  func journal(before: String, choice: SwapChoices.Journal, isWAL: Bool) throws {
    let sample = try SwapSample(journal: before)
    #expect(try sample.swap(SwapChoices(journal: choice)).warnings == [])
    #expect(try DatabaseFile.examine(sample.store).header.isWAL == isWAL)
  }

  @Test("without a backup there is none, and the swap continues")
  func noBackup() throws {
    let sample = try SwapSample()
    #expect(try sample.swap(SwapChoices(backupKeep: .none)).backup == nil)
    #expect(try sample.content() == "new")
    #expect(!FileManager.default.fileExists(atPath: sample.folder.backups))
  }

  @Test("a store that changed since it was copied is left alone", arguments: ["DELETE", "WAL"])
  func changed(journal: String) throws {
    let sample = try SwapSample(journal: journal)
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 2 WHERE Z_PK = 5")
    try app.close()
    let before = try sample.image()
    let error = #expect(throws: Failure.self) { try sample.swap() }
    #expect(error?.kind == .busy)
    #expect(error?.why.contains("changed since") == true)
    #expect(try sample.image() == before)
  }

  @Test(
    "a store that another process has is left alone, even if it only looks at it",
    arguments: ["DELETE", "WAL"], ["BEGIN; SELECT * FROM ZPERSON", "BEGIN IMMEDIATE"])
  func busy(journal: String, sql: String) async throws {
    let sample = try SwapSample(journal: journal)
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute(sql)
    await #expect(processExitsWith: .exitCode(5)) { [path = sample.store as String] in
      do {
        try SwapSample(of: path).swap(SwapChoices(wait: .zero))
      } catch let error as Failure {
        exit(error.kind.status)
      }
    }
    try app.execute("ROLLBACK")
    try app.close()
    #expect(try sample.content() == "old")
    #expect(try sample.swap().warnings == [])
    #expect(try sample.content() == "new")
  }

  /// Swaps in another process that waits, when the step begins, until the test says go.
  private func swap(_ store: String, waitingAt step: SwapStep, _ signals: String) async {
    await #expect(processExitsWith: .success) {
      [
        store = store as String, step = step.rawValue as String, signals = signals as String
      ] in
      try SwapSample(of: store).swap {
        guard $0.rawValue == step else { return }
        try Signal.ready(signals + "ready")
        Signal.wait(for: signals + "go")
      }
    }
  }

  @Test(
    "the store is locked from the comparison to the exchange, whatever is copied in between", .alone
  )
  func locked() async throws {
    let sample = try SwapSample()
    let signals = samplePath("signal-")
    async let swap: Void = swap(sample.store, waitingAt: .replace, signals)
    try await Signal.come(signals + "ready")
    #expect(throws: SQLiteError.self) {
      let app = try Connection(path: sample.store, mode: .own(create: false))
      defer { try? app.close() }
      try app.execute("UPDATE ZPERSON SET Z_OPT = 5")
    }
    try Signal.give(signals + "go")
    await swap
    #expect(try sample.content() == "new")
  }

  @Test("an idle reader of a store in WAL mode is seen")
  func idleReader() async throws {
    let sample = try SwapSample(journal: "WAL")
    let app = try Connection(path: sample.store, mode: .own(create: false))
    _ = try app.integer("SELECT count(*) FROM ZPERSON")
    await #expect(processExitsWith: .exitCode(5)) { [path = sample.store as String] in
      do {
        try SwapSample(of: path).swap(SwapChoices(wait: .zero))
      } catch let error as Failure {
        exit(error.kind.status)
      }
    }
    try app.close()
  }

  @Test("a staged store that is not what was validated is not used")
  func damagedStage() throws {
    let sample = try SwapSample()
    let next = try Connection(path: sample.folder.nextPath, mode: .own(create: false))
    try next.execute("DELETE FROM ZPERSON WHERE Z_PK = 7")
    try next.close()
    let error = #expect(throws: Failure.self) { try sample.swap() }
    #expect(error?.subject == sample.folder.nextPath)
    #expect(try sample.content() == "old")
  }

  @Test("another file under the name of a new large value is not written over")
  func foreignBlob() throws {
    let sample = try SwapSample()
    let path = "\(sample.externals)/\(SwapSample.onlyNew)"
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(throws: Failure.self) { try sample.swap() }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    #expect(try sample.content() == "old")
  }

  @Test("a run that has validated nothing replaces nothing")
  func notReady() throws {
    let sample = try SwapSample()
    var state = try #require(try RunState.read(sample.folder))
    state.phase = .copying
    #expect(throws: Failure.self) { try Swap(sample.folder, state).run() }
    #expect(try sample.content() == "old")
  }

  @Test("when the result is not what it was to be, the old store is put back")
  func putBack() throws {
    let sample = try SwapSample(journal: "WAL")
    let old = try sample.image()
    var state = try #require(try RunState.read(sample.folder))
    // The staged store has no mark of such a run: the check after the exchange fails.
    state.mark = "another"
    let error = #expect(throws: Failure.self) {
      try Swap(sample.folder, state, SwapChoices(wait: SwapSample.wait)).run()
    }
    #expect(error?.why.contains("The old store is back") == true)
    #expect(try sample.image() == old)
    #expect(try sample.content() == "old")
    #expect(try DatabaseFile.examine(sample.store).header.isWAL)
    #expect(try RunState.read(sample.folder)?.phase == .backedUp)
  }

  @Test("without a backup it is put back from the copy that the run read")
  func putBackFromCopy() throws {
    let sample = try SwapSample()
    let old = try sample.image()
    var state = try #require(try RunState.read(sample.folder))
    state.mark = "another"
    #expect(throws: Failure.self) {
      try Swap(sample.folder, state, SwapChoices(backupKeep: .none)).run()
    }
    #expect(try sample.image() == old)
  }

  @Test("a copy whose rows were numbered is put back, and is the old store from then on")
  func putBackNumbered() throws {
    let sample = try SwapSample()
    try Self.change(sample.folder.sourcePath)
    var state = try #require(try RunState.read(sample.folder))
    try state.noteNumbers(in: sample.folder)
    state.mark = "another"
    for _ in 1...2 {
      let error = #expect(throws: Failure.self) {
        try Swap(sample.folder, state, SwapChoices(backupKeep: .none)).run()
      }
      #expect(error?.why.hasSuffix("The old store is back.") == true)
      #expect(try sample.image() == state.numbered)
      state = try #require(try RunState.read(sample.folder))
    }
  }

  @Test("a copy that is not what was copied is not put back as the old store")
  func rottenCopy() throws {
    let sample = try SwapSample()
    try Self.change(sample.folder.sourcePath)
    var state = try #require(try RunState.read(sample.folder))
    state.mark = "another"
    let error = #expect(throws: Failure.self) {
      try Swap(sample.folder, state, SwapChoices(backupKeep: .none)).run()
    }
    #expect(error?.why.contains("Putting the old store back failed, too") == true)
  }

  @Test("a new store on top of a copy that was changed after its check is not put in place")
  func changedBase() throws {
    let sample = try SwapSample(isLayered: true)
    var state = try #require(try RunState.read(sample.folder))
    let staged = try StagedStore.check(sample.folder, &state)
    try Self.change(sample.folder.sourcePath)
    let error = #expect(throws: Failure.self) {
      try Swap(sample.folder, state, SwapChoices(wait: SwapSample.wait), staged: staged).run()
    }
    #expect(error?.why.contains("changed or damaged since") == true)
    #expect(try sample.content() == "old")
  }

  @Test("a copy that is known to be sound is a whole backup, and the new store is in place")
  func knownCopy() throws {
    let sample = try SwapSample(isLayered: true)
    let old = try sample.image()
    var state = try #require(try RunState.read(sample.folder))
    let staged = try StagedStore.check(sample.folder, &state)
    let swap = Swap(
      sample.folder, state, SwapChoices(wait: SwapSample.wait), staged: staged,
      isSourceSound: true)
    let backup = try StoreBackup.read(try #require(try swap.run().backup))
    try backup.verify()
    #expect(backup.image == old)
    #expect(try sample.content() == "new")
  }

  private static func change(_ path: String) throws {
    let connection = try Connection(path: path, mode: .foreignWritable)
    try connection.execute("DELETE FROM ZPERSON WHERE Z_PK = 300")
    try connection.close()
  }
}
