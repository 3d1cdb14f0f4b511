import CoreDataStore
import Foundation
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("The run's folder", .temporaryFolder) struct WorkFolderTests {
  @Test("it lies next to the real store, for its owner alone")
  func places() throws {
    let store = try StoreFiles(StoreSample.make("real.sqlite")).path
    let link = samplePath("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
    let folder = try WorkFolder(store: link)
    #expect(folder.path == store + ".pipeline/run")
    try folder.make()
    try folder.make()
    for path in [folder.work, folder.path] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
    #expect(try WorkFolder(store: link, work: samplePath("other/")).path == samplePath("other/run"))
  }

  @Test("a store that is not there has none")
  func missing() {
    #expect(throws: Failure.self) { _ = try WorkFolder(store: samplePath("none.sqlite")) }
  }

  @Test("abandoning a run leaves backups and rejected objects")
  func remove() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    try folder.make()
    try FileManager.default.createDirectory(
      atPath: folder.backups, withIntermediateDirectories: true)
    for path in [folder.statePath, folder.rejectsPath] {
      try Data("x".utf8).write(to: URL(filePath: path))
    }
    try folder.removeRun()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.work).sorted() == [
        "backups", "rejects.sqlite",
      ])
    try folder.removeRun()
  }

  @Test("a link in the place of the work folder is not followed")
  func link() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    let elsewhere = samplePath("elsewhere")
    try FileManager.default.createDirectory(
      atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.work, withDestinationPath: elsewhere)
    let error = #expect(throws: Failure.self) { try folder.make() }
    #expect(error?.kind == .unusable)
    #expect(error?.why == "In its place is a symbolic link.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }

  @Test(
    "what is not a file or folder of ours is named, and neither read nor followed",
    arguments: ["link", "folder", "pipe"], ["state.json", "lock", "run.json", "backups"])
  func strangers(kind: String, name: String) throws {
    let folder = try WorkFolder(store: StoreSample.make())
    try folder.make()
    let path = name == "backups" ? folder.backups : "\(folder.path)/\(name)"
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: samplePath("elsewhere"))
    case "pipe": try #require(NamedPipe.make(path))
    default:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    if name == "backups", kind == "folder" { return }
    let error = #expect(throws: Failure.self) {
      switch name {
      case "state.json": _ = try RunState.read(folder)
      case "run.json": _ = try BackupProvenance.read(in: folder.path)
      default: try RunLock(folder).unlock()
      }
    }
    #expect(error?.kind == .unusable)
    #expect(error?.why.hasPrefix("In its place is ") == true, "\(error?.why ?? "")")
  }

  @Test("a work folder may lie in a folder that a link leads to") func linkedParent() throws {
    let real = samplePath("real")
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: samplePath("linked"), withDestinationPath: real)
    try WorkFolder(store: StoreSample.make(), work: samplePath("linked/own")).make()
    #expect(FileManager.default.fileExists(atPath: "\(real)/own/run"))
  }
}
