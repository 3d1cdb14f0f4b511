import Foundation
import SQLite
@testable import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The stores between the steps of a chain", .temporaryFolder) struct StepFilesTests {
  private func folder() throws -> WorkFolder {
    let folder = try WorkFolder(store: StoreSample.make())
    try folder.make()
    return folder
  }

  private func lay(_ path: String) throws { try Data("x".utf8).write(to: URL(filePath: path)) }

  private func names(_ folder: WorkFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("each step reads what the one before it made, the last one makes the new store")
  func chain() throws {
    let folder = try folder()
    #expect(folder.source(ofStep: 0, of: 3) == folder.sourcePath)
    for step in 1..<3 {
      #expect(folder.source(ofStep: step, of: 3) == folder.path(ofStep: step - 1, of: 3))
    }
    #expect(folder.path(ofStep: 2, of: 3) == folder.nextPath)
    #expect(folder.path(ofStep: 0, of: 1) == folder.nextPath)
  }

  @Test("what a step has read goes, the copy of the user's store stays") func sources() throws {
    let folder = try folder()
    for path in [folder.sourcePath, folder.path(ofStep: 0, of: 2)] { try lay(path) }
    try folder.removeSource(ofStep: 0, of: 2)
    try folder.removeSource(ofStep: 1, of: 2)
    #expect(try names(folder) == ["source.sqlite"])
  }

  @Test("what is below a store goes with the first that is a file of its own")
  func layers() throws {
    let folder = try folder()
    try lay(folder.sourcePath)
    try lay(folder.path(ofStep: 0, of: 4))
    for step in 1..<3 {
      try Overlay.make(
        at: folder.path(ofStep: step, of: 4), on: folder.source(ofStep: step, of: 4))
      try lay(folder.path(ofStep: step, of: 4) + "-wal")
      try folder.removeSource(ofStep: step, of: 4)
    }
    #expect(try names(folder).count == 6)
    try lay(folder.nextPath)
    try folder.removeSource(ofStep: 3, of: 4)
    #expect(try names(folder) == ["next.sqlite", "source.sqlite"])
  }

  @Test("what nothing refers to any more goes with the next placing") func externals() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      atPath: folder.nextExternals, withIntermediateDirectories: false)
    for name in [SwapSample.both, SwapSample.onlyOld] {
      try lay("\(folder.nextExternals)/\(name)")
    }
    let copy = ExternalCopy(source: SwapSample.both, target: SwapSample.onlyNew)
    try folder.placeExternals([copy], from: samplePath("none"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.nextExternals).sorted() == [
        SwapSample.both, SwapSample.onlyNew,
      ])
  }

  @Test("a step whose store is gone is done again, with all before it") func lost() throws {
    let folder = try folder()
    var state = try RunState(run: "r", tool: "1", folder: folder)
    (state.step, state.phase) = (1, .validated)
    #expect(try state.without(lostStoresIn: folder, of: 1).step == 0)
    try lay(folder.nextPath)
    #expect(try state.without(lostStoresIn: folder, of: 1) == state)
  }
}
