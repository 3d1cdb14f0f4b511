import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("What there is to look at", .temporaryFolder)
struct FleetSearchTests {
  private static var folder: URL { TemporaryFolder.url }

  @Test("stores are found by their first bytes, and what belongs to them is none")
  func search() throws {
    let manager = FileManager.default
    try NotesSample.lay(in: Self.folder)
    let store = Self.folder.appending(path: "Notes.sqlite")
    for name in ["a", "sub/b.sqlite", "sub/c.store"] {
      let place = Self.folder.appending(path: name)
      try manager.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try manager.copyItem(at: store, to: place)
    }
    for name in ["a-wal", "text", ".a_SUPPORT/_EXTERNAL_DATA/x.sqlite", "a.pipeline/run/x.sqlite"] {
      let place = Self.folder.appending(path: name)
      try manager.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("text".utf8).write(to: place)
    }
    try manager.createSymbolicLink(
      at: Self.folder.appending(path: "link.sqlite"), withDestinationURL: store)
    let found = try FleetPicture.Search([Self.folder.path, store.path]).stores
    let names = ["Notes.sqlite", "a", "sub/b.sqlite", "sub/c.store"]
    #expect(found.count == names.count)
    #expect(zip(found, names).allSatisfy { $0.hasSuffix("/\($1)") }, "\(found)")
    #expect(throws: (any Error).self) { try FleetPicture.Search([store.path + "-none"]) }
  }

  @Test("a work folder of any name is the work of a run, and no folder of stores")
  func workFolder() async throws {
    let sample = try RunSample()
    let work = sample.path("scratch")
    try await sample.run(nil, RunOptions(until: "copy", work: work))
    let search = try FleetPicture.Search([Self.folder.path])
    #expect(search.stores.map { URL(filePath: $0).lastPathComponent } == ["Notes.sqlite"])
    #expect(search.works.map { URL(filePath: $0).lastPathComponent } == ["scratch"])
    let picture = try await FleetPicture.look(at: search)
    #expect(picture.members.map(\.need) == [.repetition])
    let named = try FleetPicture.Search([work])
    #expect(named.stores.isEmpty && named.works.count == 1)
  }
}
