import Foundation
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Paths of models", .temporaryFolder) struct ModelPlaceTests {
  private func make(_ path: String, folder: Bool = false) throws {
    let url = TemporaryFolder.url.appending(path: path)
    let parent = folder ? url : url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    if !folder { try Data([1]).write(to: url) }
  }

  @Test("names of versions lose their extension, and numbers in them count as numbers")
  func names() {
    #expect(ModelPlace.stem("/a/App 2.xcdatamodel") == "App 2")
    #expect(ModelPlace.naturalOrder(["App 10", "App 2", "App"]) == ["App", "App 2", "App 10"])
  }

  @Test("paths are cut at slashes", arguments: [("/a/b/", "/a"), ("/a", "/"), ("a", ".")])
  func folders(path: String, folder: String) { #expect(ModelPlace(path).folder.path == folder) }

  @Test(
    "files whose names begin with a dot are no versions",
    arguments: [
      ("momd", "mom", ModelFile.Kind.compiledVersions),
      ("xcdatamodeld", "xcdatamodel", .sourceVersions),
    ])
  func appleDouble(folder: String, file: String, kind: ModelFile.Kind) throws {
    try make("App.\(folder)/App.\(file)")
    try make("App.\(folder)/._App.\(file)")
    let place = ModelPlace(samplePath("App.\(folder)"))
    #expect(try place.locations(kind).keys.sorted() == ["App"])
    try FileManager.default.removeItem(atPath: samplePath("App.\(folder)/App.\(file)"))
    let error = #expect(throws: Failure.self) { try place.locations(kind) }
    #expect(error?.why.contains("No version is in it") == true)
  }

  @Test(
    "the name shows the kind, and by whether it is a folder",
    arguments: [
      ("a.momd", true, ModelFile.Kind.compiledVersions), ("a.mom", false, .compiled),
      ("a.xcdatamodel", true, .source), ("a.xcdatamodeld", true, .sourceVersions),
      ("b.xcdatamodel/contents", false, .source), ("a.momd", false, nil), ("a.mom", true, nil),
      ("a.sqlite", false, nil),
    ])
  func kinds(path: String, isFolder: Bool, kind: ModelFile.Kind?) throws {
    try make(path, folder: isFolder)
    #expect((try? ModelPlace(samplePath(path)).kind()) == kind)
  }

  @Test(
    "a folder stands for the one model in it, or for the versions in it",
    arguments: [
      (["App.xcdatamodeld/"], "/App.xcdatamodeld", ModelFile.Kind.sourceVersions),
      (["App.momd/", "notes.txt", "._App.momd"], "/App.momd", .compiledVersions),
      (["1.xcdatamodel/", "2.xcdatamodel/"], "", .sourceVersions),
      (["1.mom", "2.mom"], "", .compiledVersions), (["1.xcdatamodel/"], "", .sourceVersions),
    ])
  func inFolder(names: [String], path: String, kind: ModelFile.Kind) throws {
    for name in names { try make("all/\(name)", folder: name.hasSuffix("/")) }
    let found = try ModelPlace(samplePath("all")).model()
    #expect(found.kind == kind)
    #expect(found.place.path == samplePath("all") + path)
  }

  @Test("a folder with several models is refused with their names, one without any as none")
  func severalModels() throws {
    try make("none/notes.txt")
    let none = #expect(throws: Failure.self) { try ModelPlace(samplePath("none")).model() }
    #expect(none?.why == "It is a folder of another kind, no data model.")
    for name in ["B.xcdatamodeld", "A.xcdatamodeld", "C.xcdatamodel"] {
      try make("all/\(name)", folder: true)
    }
    let several = #expect(throws: Failure.self) { try ModelPlace(samplePath("all")).model() }
    #expect(
      several?.why
        == "It is a folder with 3 models, A.xcdatamodeld, B.xcdatamodeld, C.xcdatamodel.")
    #expect(several?.remedy.hasSuffix("all/A.xcdatamodeld.") == true)
  }

  @Test("a folder or a device is no file to read, nor is one larger than any model")
  func contents() throws {
    try make("folder", folder: true)
    try make("large")
    let handle = try FileHandle(forWritingTo: URL(filePath: samplePath("large")))
    try handle.truncate(atOffset: (64 << 20) + 1)
    try handle.close()
    for path in [samplePath("folder"), "/dev/zero", samplePath("large")] {
      let error = #expect(throws: Failure.self) { try ModelPlace.contents(of: path) }
      #expect(error?.why == "It is not a file, or larger than any data model.")
    }
    try make("small")
    #expect(try ModelPlace.contents(of: samplePath("small")) == [1])
  }
}
