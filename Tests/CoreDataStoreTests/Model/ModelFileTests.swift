import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite("Model files and folders", .temporaryFolder)
struct ModelFileTests {
  private var folder: URL { TemporaryFolder.url }

  private func write(_ path: String, _ bytes: [UInt8]) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Makes an `.xcdatamodeld` of these versions.
  private func versions(_ names: [String], current: String? = nil) throws -> String {
    for name in names {
      let body = "<entity name=\"A\" versionHashModifier=\"\(name)\"/>"
      try write("App.xcdatamodeld/\(name).xcdatamodel/contents", ModelText.xml(body))
    }
    if let current {
      let list = """
        <?xml version="1.0"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
        <string>\(current).xcdatamodel</string></dict></plist>
        """
      try write("App.xcdatamodeld/.xccurrentversion", Array(list.utf8))
    }
    return folder.appending(path: "App.xcdatamodeld").path
  }

  @Test("versions are in natural order, and the current one is the one that is named")
  func order() throws {
    let file = try ModelFile(try versions(["App 10", "App", "App 2"], current: "App 2"))
    #expect(file.versions == ["App", "App 2", "App 10"])
    #expect(try file.current.name == "App 2")
    #expect(try file.models.map(\.name) == file.versions)
    #expect(try file.model(named: "App 10.xcdatamodel").name == "App 10")
  }

  @Test("a single version needs no one to name it; several do")
  func current() throws {
    #expect(try ModelFile(versions(["App"])).currentVersion == "App")
    let several = try ModelFile(versions(["App", "App 2"]))
    let error = #expect(throws: Failure.self) { try several.current }
    #expect(error?.remedy == "Name the version: App, App 2.")
    #expect(try several.model(named: "App 2").name == "App 2")
  }

  @Test("a path that the machine will not follow is its refusal, and not a missing file")
  func refusedPath() throws {
    let path = folder.appending(path: String(repeating: "n", count: 300) + ".momd").path
    let error = #expect(throws: Failure.self) { try ModelFile(path) }
    #expect(error?.kind == .refused && error?.why.hasPrefix("lstat: ") == true)
    let missing = #expect(throws: Failure.self) { try ModelFile("\(folder.path)/none.momd") }
    #expect(missing?.kind == .unusableModel)
  }

  @Test(
    "a folder without permission is not called empty",
    .enabled(if: geteuid() != 0, "the superuser may read everything"))
  func refusedFolder() throws {
    let path = try versions(["App"])
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    let error = #expect(throws: Failure.self) { try ModelFile(path) }
    #expect(error?.kind == .refused && error?.why.contains("folder cannot be read") == true)
  }

  @Test("a record that is no file is named once, with its place")
  func strangeRecord() throws {
    let record = folder.appending(path: "App.xcdatamodeld/.xccurrentversion")
    let path = try versions(["App", "App 2"])
    try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
    let file = try ModelFile(path)
    let error = #expect(throws: Failure.self) { try file.current }
    #expect(error?.subject == "\(path)/.xccurrentversion")
    #expect(error?.why == "It is not a file, or larger than any data model.")
  }

  @Test("a mapping model is called one")
  func mapping() throws {
    try write("V1to2.xcmappingmodel/xcmapping.xml", [])
    let path = folder.appending(path: "V1to2.xcmappingmodel").path
    let error = #expect(throws: Failure.self) { try ModelFile(path) }
    #expect(error?.why == "It is a mapping model, no data model.")
  }

  @Test("a current version that is not there is an error of its own")
  func missingCurrent() throws {
    let file = try ModelFile(try versions(["App", "App 2"], current: "App 3"))
    let error = #expect(throws: Failure.self) { try file.current }
    #expect(error?.why.contains("\"App 3\"") == true)
  }

  @Test("an unknown version gets the nearest name")
  func unknown() throws {
    let file = try ModelFile(try versions(["App", "App 2"], current: "App"))
    let error = #expect(throws: Failure.self) { try file.model(named: "app 3") }
    #expect(error?.remedy == "Did you mean \"App 2\"?")
  }

  @Test("an error in a version names its file")
  func place() throws {
    try write("Bad.xcdatamodel/contents", Array("<model>".utf8))
    let path = folder.appending(path: "Bad.xcdatamodel").path
    let error = #expect(throws: Failure.self) { try ModelFile(path).current }
    #expect(error?.subject.hasPrefix(path) == true)
  }

  @Test("the binary form of Xcode 3 is refused with the way out")
  func elements() throws {
    try write("Old.xcdatamodel/elements", [1, 2, 3])
    let error = #expect(throws: Failure.self) {
      try ModelFile(folder.appending(path: "Old.xcdatamodel").path).current
    }
    #expect(error?.why.contains("Xcode 3") == true)
    #expect(error?.remedy.contains(".mom") == true)
  }

  @Test("what is no model is refused", arguments: ["a.txt", "a.sqlite", "App.xcdatamodel"])
  func otherFiles(name: String) throws {
    try write(name, [0])
    #expect(throws: Failure.self) { try ModelFile(folder.appending(path: name).path) }
  }

  @Test("a missing file and an empty folder are refused")
  func missing() throws {
    #expect(throws: Failure.self) { try ModelFile(folder.appending(path: "No.mom").path) }
    let empty = folder.appending(path: "Empty.momd")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(throws: Failure.self) { try ModelFile(empty.path) }
  }

  @Test("a model of several files: one version is named, the others are current")
  func source() throws {
    let app = try versions(["App", "App 2"], current: "App 2")
    try write("Sync.xcdatamodel/contents", ModelText.xml("<entity name=\"B\"/>"))
    let source = try ModelSource([app, folder.appending(path: "Sync.xcdatamodel").path])
    #expect(source.versions == ["App", "App 2", "Sync"])
    #expect(try source.current.name == "App 2 + Sync")
    let old = try source.model(named: "App")
    #expect(old.name == "App + Sync" && old.entities.map(\.name) == ["A", "B"])
    let hashes = VersionHashes(of: old).entities
    #expect(try source.model(matching: hashes)?.name == "App + Sync")
    #expect(try source.model(matching: hashes.filter { $0.key == "A" })?.name == "App")
    let strange = hashes.mapValues { _ in hashes["A"] }.compactMapValues(\.self)
    #expect(try source.model(matching: strange) == nil)
    #expect(try source.nearest(to: hashes).name == "App + Sync")
    #expect(try source.nearest(to: [:]).name == "App 2 + Sync")
  }

  @Test("no file at all is an error")
  func noFiles() {
    #expect(throws: Failure.self) { try ModelSource([]) }
  }
}
