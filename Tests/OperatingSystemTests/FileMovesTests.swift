import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite("Moving files", .temporaryFolder) struct FileMovesTests {
  private func write(_ text: String, _ name: String) throws -> String {
    let path = samplePath(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  @Test("a name that is new stays what it was when something has it")
  func toNew() throws {
    let (one, two) = (try write("one", "one"), try write("two", "two"))
    let error = #expect(throws: SystemError.self) { _ = try FileMoves.renameToNew(one, to: two) }
    #expect(error?.number == EEXIST)
    #expect(try text(one) == "one" && text(two) == "two")
    #expect(try FileMoves.renameToNew(one, to: samplePath("three")) == nil)
    #expect(try text(samplePath("three")) == "one")
    #expect(!FileManager.default.fileExists(atPath: one))
  }

  @Test("removing what is not there is no error") func absent() throws {
    try FileMoves.remove(samplePath("none"))
    try FileMoves.removeTree(samplePath("none"))
  }

  @Test("a tree goes, and what its links lead to stays") func tree() throws {
    let kept = try write("kept", "kept")
    let tree = samplePath("tree")
    try FileSystem.makeFolders(tree + "/a/b")
    _ = try write("x", "tree/a/b/x")
    try FileManager.default.createSymbolicLink(
      atPath: tree + "/a/link", withDestinationPath: TemporaryFolder.url.path)
    try FileMoves.removeTree(tree)
    #expect(!FileManager.default.fileExists(atPath: tree))
    #expect(try text(kept) == "kept")
  }

  @Test("a small file is the old one or the new one, and leaves nothing next to it")
  func small() throws {
    let path = samplePath("state")
    for content in ["first", "second"] {
      try FileMoves.write(Array(content.utf8), to: path)
      #expect(try text(path) == content)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path) == ["state"])
  }

  @Test("a copy has its name when it is whole, whatever a killed process has left")
  func whole() throws {
    let source = try write("whole", "source")
    let target = samplePath("target")
    _ = try write("half", "target.pipeline-part")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: source)
    try FileMoves.copyWhole(source, to: target, like: source)
    #expect(try text(target) == "whole")
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: target + ".pipeline-part"))
  }

  @Test("the folder of a path is what stands before its last slash")
  func folders() {
    #expect(FileSystem.folder(of: "/a/b.sqlite") == "/a")
    #expect(FileSystem.folder(of: "/b.sqlite") == "/")
    #expect(FileSystem.folder(of: "/ä/🦆/b") == "/ä/🦆")
  }
}
