import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("The run's state", .temporaryFolder) struct RunStateTests {
  private func full() throws -> (WorkFolder, RunState) {
    let folder = try WorkFolder(store: StoreSample.make("ä \"q\"\n.sqlite"))
    try folder.make()
    var state = try RunState(run: SwapSample.run, tool: "1.0", folder: folder)
    state.source = try SourceSnapshot.make(folder).record
    state.phase = .swapping
    state.digests = ["pipeline": "ab", "models": "cd"]
    (state.step, state.steps) = (2, 3)
    state.next = state.source?.image
    state.backup = .init(path: folder.backups + "/b\\a", manifest: "ef")
    state.blobsToAdd = [SwapSample.onlyNew]
    state.blobsToDrop = [SwapSample.onlyOld, SwapSample.both]
    return (folder, state)
  }

  @Test("what is written is read back, all of it")
  func roundTrip() throws {
    var (folder, state) = try full()
    #expect(try RunState.read(folder) == nil)
    try state.write(folder)
    #expect(try RunState.read(folder) == state)
    state.backup = nil
    state.source = nil
    state.phase = .created
    try state.write(folder)
    #expect(try RunState.read(folder) == state)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "source.sqlite", "state.json",
      ])
  }

  @Test(
    "what was damaged, cut off or made by others is refused and stays",
    arguments: [
      "empty", "half", "flipped", "no check", "other format", "not JSON", "folder",
    ])
  func damaged(how: String) throws {
    let (folder, state) = try full()
    try state.write(folder)
    let url = URL(filePath: folder.statePath)
    var text = try String(contentsOf: url, encoding: .utf8)
    switch how {
    case "empty": text = ""
    case "half": text = String(text.prefix(text.count / 2))
    case "flipped": text = text.replacing("\"swapping\"", with: "\"swapped\"")
    case "no check": text = "{\"format\": 1, \"phase\": \"done\"}"
    case "other format": text = text.replacing("\"format\": 1", with: "\"format\": 2")
    case "not JSON": text = "swapped"
    default:
      try FileManager.default.removeItem(at: url)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    if how != "folder" { try Data(text.utf8).write(to: url) }
    let before = try FolderState(folder.work)
    let error = #expect(throws: Failure.self) { _ = try RunState.read(folder) }
    #expect(error?.kind == .unusable)
    // What stands in the file's place is said, and is not for us to remove.
    if how != "folder" {
      #expect(error?.remedy.contains("pipeline status") == true)
      #expect(error?.remedy.contains("pipeline abandon") == true)
    }
    #expect(try FolderState(folder.work) == before)
  }

  @Test("the state of another store is refused")
  func foreign() throws {
    let (folder, state) = try full()
    try state.write(folder)
    let other = try WorkFolder(store: StoreSample.make("b.sqlite"), work: folder.work)
    let error = #expect(throws: Failure.self) { _ = try RunState.read(other) }
    #expect(error?.why.contains("another store") == true)
  }

  @Test("a store that was moved takes its state along, unless something is at the old path")
  func moved() throws {
    var (folder, state) = try full()
    state.phase = .copying
    try state.write(folder)
    let path = URL(filePath: folder.store).deletingLastPathComponent().appending(path: "m.sqlite")
      .path
    try FileManager.default.moveItem(atPath: folder.store, toPath: path)
    let moved = try WorkFolder(store: path, work: folder.work)
    #expect(try RunState.read(moved)?.store == moved.store)
    try Data().write(to: URL(filePath: folder.store))
    #expect(throws: Failure.self) { _ = try RunState.read(moved) }
  }

  @Test("another file in the store's place is noticed")
  func replaced() throws {
    var (folder, state) = try full()
    state.phase = .copying
    try state.write(folder)
    let copy = folder.store + ".copy"
    try FileManager.default.copyItem(atPath: folder.store, toPath: copy)
    try FileManager.default.removeItem(atPath: folder.store)
    try FileManager.default.moveItem(atPath: copy, toPath: folder.store)
    #expect(throws: Failure.self) { _ = try RunState.read(folder) }
  }

  @Test("a name that is no external file's is never believed")
  func names() throws {
    var (folder, state) = try full()
    state.blobsToDrop = ["../../a.sqlite"]
    try state.write(folder)
    #expect(throws: Failure.self) { _ = try RunState.read(folder) }
  }

  @Test("a write that was cut short leaves the old state")
  func tornWrite() throws {
    let (folder, state) = try full()
    try state.write(folder)
    try Data("{\"form".utf8).write(to: URL(filePath: folder.statePath + ".new"))
    #expect(try RunState.read(folder) == state)
    try state.write(folder)
    #expect(!FileManager.default.fileExists(atPath: folder.statePath + ".new"))
  }
}
