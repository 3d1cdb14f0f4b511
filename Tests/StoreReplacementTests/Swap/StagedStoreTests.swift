import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The staged store", .temporaryFolder) struct StagedStoreTests {
  private func change(_ sample: SwapSample, _ sql: String) throws {
    let next = try Connection(path: sample.folder.nextPath, mode: .own(create: false))
    try next.execute(sql)
    try next.close()
  }

  @Test("it is sealed when it is whole and marked", arguments: [false, true])
  func seal(full: Bool) throws {
    let sample = try SwapSample()
    try change(sample, "UPDATE ZPERSON SET Z_OPT = 4")
    var state = try #require(try RunState.read(sample.folder))
    let first = state.next
    try StagedStore.seal(sample.folder, &state, full: full)
    #expect(state.phase == .validated)
    #expect(state.next != first)
    #expect(try RunState.read(sample.folder) == state)
  }

  @Test("without the run's mark, or not closed, it is not")
  func refusals() throws {
    let sample = try SwapSample()
    var state = try #require(try RunState.read(sample.folder))
    state.mark = "another"
    #expect(throws: Failure.self) { try StagedStore.seal(sample.folder, &state) }
    state.mark = SwapSample.run
    try Data([1]).write(to: URL(filePath: sample.folder.nextPath + "-wal"))
    let error = #expect(throws: Failure.self) { try StagedStore.seal(sample.folder, &state) }
    #expect(error?.why.contains("not closed") == true)
  }

  @Test("a -journal that could not be removed, and is not hot, goes", arguments: [0, 1, 600])
  func journal(length: Int) throws {
    let sample = try SwapSample()
    let journal = sample.folder.nextPath + "-journal"
    try Data(count: length).write(to: URL(filePath: journal))
    var state = try #require(try RunState.read(sample.folder))
    try StagedStore.seal(sample.folder, &state)
    #expect(state.phase == .validated)
    #expect(!FileManager.default.fileExists(atPath: journal))
  }

  @Test("an overlay is checked through the connection that has read it, and its source is let go")
  func opened() throws {
    let (folder, image) = try overlaid()
    var state = try #require(try RunState.read(folder))
    let opened = OpenedStores()
    _ = try opened.connection(to: folder.nextPath, from: folder.sourcePath)
    // With another connection this would be refused: a file is opened once.
    let staged = try StagedStore.check(folder, &state, opened: opened)
    #expect(state.next == image)
    #expect(opened.take(folder.nextPath) == nil)
    try Connection(path: folder.sourcePath, mode: .foreign).close()
    _ = staged
  }

  @Test("a file of its own that was read is closed before it is checked")
  func openedFile() throws {
    let folder = try SwapSample().folder
    var state = try #require(try RunState.read(folder))
    let opened = OpenedStores()
    _ = try opened.connection(to: folder.nextPath, from: folder.sourcePath)
    _ = try StagedStore.check(folder, &state, opened: opened)
    #expect(opened.take(folder.nextPath) == nil)
  }

  /// A run whose new store is an overlay on the copy, and that store's content.
  private func overlaid() throws -> (folder: WorkFolder, image: PageImage) {
    let folder = try SwapSample(isLayered: true).folder
    let next = try Connection(path: folder.nextPath, mode: .foreign)
    let image = try next.pageImage()
    try next.close()
    return (folder, image)
  }

  private func names(_ folder: WorkFolder) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test("one that stays in the run's folder becomes a file of its own, once") func flatten() throws
  {
    let (folder, image) = try overlaid()
    for _ in 0..<2 {
      try StagedStore.flatten(folder, steps: 1)
      #expect(!Overlay.isOne(folder.nextPath))
      let next = try Connection(path: folder.nextPath, mode: .foreign)
      #expect(try next.pageImage() == image)
      #expect(try next.problems(.full) == [])
      try next.close()
      #expect(try names(folder).filter { $0.hasPrefix("next.sqlite") } == ["next.sqlite"])
    }
  }

  @Test(
    "a process that was killed while it made a file of its own has left one or the other",
    arguments: [
      [], ["next.sqlite"], ["next.sqlite", "next.sqlite-wal"],
    ])
  func killed(gone: [String]) throws {
    let (folder, image) = try overlaid()
    let work = URL(filePath: folder.path)
    let saved = work.appending(path: "saved")
    try FileManager.default.createDirectory(at: saved, withIntermediateDirectories: false)
    let names = ["next.sqlite", "next.sqlite-wal"]
    for name in names {
      try FileManager.default.copyItem(
        at: work.appending(path: name), to: saved.appending(path: name))
    }
    try StagedStore.flatten(folder, steps: 1)
    // As it is when the file has its first name, and of the others some are gone.
    try FileManager.default.moveItem(
      atPath: folder.nextPath, toPath: folder.nextPath + "-flat")
    for name in names where !gone.contains(name) {
      try FileManager.default.copyItem(
        at: saved.appending(path: name), to: work.appending(path: name))
    }
    try folder.settle(1)
    let next = try Connection(path: folder.nextPath, mode: .foreign)
    #expect(try next.pageImage() == image)
    #expect(try self.names(folder).filter { $0.hasPrefix("next.sqlite") } == ["next.sqlite"])
  }
}
