import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import SQLite

@Suite("Files next to SQLite's", .temporaryFolder)
struct StillFileTests {
  @Test("bytes are read as far as the file goes") func bytes() throws {
    try write(Array(0..<100), to: file("a"))
    let still = try StillFile(file("a"))
    #expect(try still.bytes(3, at: 97) == [97, 98, 99])
    #expect(try still.bytes(4, at: 97) == nil)
    #expect(still.status.size == 100)
  }

  @Test("what it is now is reported, not what it was") func now() throws {
    try write([1], to: file("a"))
    let still = try StillFile(file("a"))
    let handle = try FileHandle(forWritingTo: URL(filePath: file("a")))
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    #expect(try still.now().size == 3)
  }

  @Test("a link and a missing file are refused") func refused() throws {
    try write([1], to: file("a"))
    try FileManager.default.createSymbolicLink(
      atPath: file("link"), withDestinationPath: file("a"))
    #expect(sqliteError { _ = try StillFile(file("link")) } != nil)
    #expect(sqliteError { _ = try StillFile(file("none")) }?.code != nil)
  }
}
