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

  @Test("hidden entries and links to elsewhere are counted, and no link is followed")
  func leftOut() throws {
    let manager = FileManager.default
    try NotesSample.lay(in: Self.folder)
    let store = Self.folder.appending(path: "Notes.sqlite").path
    let stores = Self.folder.appending(path: "stores").path
    for name in ["stores/.old", "stores/.a_SUPPORT", "other"] {
      try manager.createDirectory(
        at: Self.folder.appending(path: name), withIntermediateDirectories: true)
    }
    for name in ["a.sqlite", ".c.sqlite", ".old/b.sqlite", "../other/d.sqlite"] {
      try manager.copyItem(atPath: store, toPath: "\(stores)/\(name)")
    }
    try Data("text".utf8).write(to: URL(filePath: "\(stores)/.text"))
    let links = [
      "circle": "circle", "gone.sqlite": "nothing", "loop": ".", "other": "../other",
      "out.sqlite": "../Notes.sqlite", "same.sqlite": "a.sqlite",
    ]
    for (name, target) in links {
      try manager.createSymbolicLink(atPath: "\(stores)/\(name)", withDestinationPath: target)
    }
    let search = try FleetPicture.Search([stores])
    #expect(search.stores.map { URL(filePath: $0).lastPathComponent } == ["a.sqlite"])
    #expect(
      search.leftOut == [
        "left out: 2 hidden entries, such as \(stores)/.c.sqlite; give its path to look at it",
        "left out: 3 symbolic links, such as \(stores)/gone.sqlite; give its path to look at "
          + "what it leads to",
      ])
    let both = try FleetPicture.Search([Self.folder.path])
    #expect(both.stores.count == 3)
    #expect(both.leftOut.last?.hasPrefix("left out: 1 symbolic link") == true, "\(both.leftOut)")
  }

  @Test("a store with two names is counted once, and its further names are said")
  func hardLinks() throws {
    let manager = FileManager.default
    try NotesSample.lay(in: Self.folder)
    let stores = Self.folder.appending(path: "stores").path
    try manager.createDirectory(atPath: stores, withIntermediateDirectories: true)
    let first = "\(stores)/a.sqlite"
    try manager.copyItem(
      atPath: Self.folder.appending(path: "Notes.sqlite").path, toPath: first)
    for name in ["b.sqlite", "c"] {
      try manager.linkItem(atPath: first, toPath: "\(stores)/\(name)")
    }
    let search = try FleetPicture.Search([first, stores, stores])
    #expect(search.stores.map { URL(filePath: $0).lastPathComponent } == ["a.sqlite"])
    #expect(
      search.leftOut == [
        "left out: 2 hard links to stores that are counted already, such as \(stores)/b.sqlite; "
          + "`run` replaces no store that has two names"
      ])
  }

  @Test("stores whose names differ in how their characters are composed are two")
  func composed() async throws {
    let manager = FileManager.default
    try NotesSample.lay(in: Self.folder)
    let stores = Self.folder.appending(path: "stores")
    try manager.createDirectory(at: stores, withIntermediateDirectories: true)
    for name in ["caf\u{E9}.sqlite", "cafe\u{301}.sqlite"] {
      // Disks of Apple systems take them for one name.
      try? manager.copyItem(
        at: Self.folder.appending(path: "Notes.sqlite"), to: stores.appending(path: name))
    }
    let count = try manager.contentsOfDirectory(atPath: stores.path).count
    let picture = try await FleetPicture.look(at: FleetPicture.Search([stores.path]))
    #expect(Set(picture.members.map { Array($0.store.utf8) }).count == count)
  }

  @Test("a store is one, though its name is that of a report") func named() throws {
    try NotesSample.lay(in: Self.folder)
    let place = Self.folder.appending(path: "stores")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Self.folder.appending(path: "Notes.sqlite"), to: place.appending(path: "data.json"))
    try Data("{}".utf8).write(to: place.appending(path: "report.json"))
    let search = try FleetPicture.Search([place.path])
    #expect(search.stores.count == 1 && search.reports.count == 1)
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
