import Foundation
import SQLite
@testable import StoreReplacement
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The folder of large values", .temporaryFolder) struct ExternalFolderTests {
  @Test("only regular files with the name of a large value are Core Data's") func names() throws {
    let sample = try SwapSample()
    let folder = sample.externals
    try Data("x".utf8).write(to: URL(filePath: folder + "/notes.txt"))
    try FileManager.default.createDirectory(
      atPath: folder + "/00000000-0000-4000-8000-0000000000FF", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/00000000-0000-4000-8000-0000000000EE",
      withDestinationPath: folder + "/notes.txt")
    #expect(try ExternalFolder.names(in: folder) == [SwapSample.both, SwapSample.onlyOld])
    #expect(try ExternalFolder.names(in: samplePath("none")) == [])
  }

  @Test("every column of bytes is looked through, and only whole references count")
  func references() throws {
    let sample = try SwapSample()
    let mode = OpenMode.own(create: false)
    let store = try Connection(path: sample.store, mode: mode)
    try store.execute("CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, ZMORE BLOB, ZTEXT VARCHAR)")
    let name = SwapSample.onlyNew
    let stored = try #require(ExternalReference(name)).stored
    let path = [UInt8(2)] + Array("../../../../../../../../../../etc/passwd".utf8.prefix(36)) + [0]
    for bytes in [stored, path, Array(stored.dropLast()), [1] + stored.dropFirst()] {
      try store.run("INSERT INTO ZOTHER (ZMORE) VALUES (?1)", [.blob(bytes)])
    }
    #expect(
      try ExternalFolder.references(in: store) == [SwapSample.both, SwapSample.onlyOld, name])
    try store.close()
  }
}
