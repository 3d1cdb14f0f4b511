import CoreDataStore
import Foundation
import TestSupport
import Testing

@Suite("Where a path leads", .temporaryFolder)
struct FilePlaceTests {
  private let folder = TemporaryFolder.url

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func make(_ name: String) throws {
    try Data("x".utf8).write(to: folder.appending(path: name))
  }

  @Test("links, hard links and other spellings of a file are the same", arguments: 0..<4)
  func names(way: Int) throws {
    try make("a")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: path("link"), withDestinationPath: "a")
    try manager.linkItem(atPath: path("a"), toPath: path("hard"))
    try manager.createSymbolicLink(atPath: path("folder"), withDestinationPath: ".")
    let names = ["link", "hard", "folder/./folder/a", "none/../a"]
    let other = FilePlace(path(names[way]))
    // Nothing is at "none", so that the system cannot follow the last.
    #expect(other.isSame(as: FilePlace(path("a"))))
    try make("b")
    #expect(!other.isSame(as: FilePlace(path("b"))))
  }

  @Test("where nothing is yet, a link leads to what will be made") func missing() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: path("link"), withDestinationPath: "later")
    try manager.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
    let later = FilePlace(path("later"))
    #expect(!later.isThere)
    #expect(FilePlace(path("link")).isSame(as: later))
    #expect(FilePlace(path("LATER")).isSame(as: later))
    #expect(!FilePlace(path("latest")).isSame(as: later))
    #expect(!FilePlace(path("loop")).isSame(as: later))
  }

  @Test("what is in a folder is within it, however deep and not there yet") func within() throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: "a/b"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "a/b")
    let outer = FilePlace(path("a"))
    for name in ["a", "a/b", "a/b/c/d", "link/new", "link"] {
      #expect(FilePlace(path(name)).isWithin(outer), "\(name)")
    }
    #expect(!FilePlace(path("ab")).isWithin(outer))
    #expect(FilePlace("/").isFolder && !FilePlace("/").isWithin(outer))
  }
}
