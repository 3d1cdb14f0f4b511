@testable import CoreDataStore
import Foundation
import OperatingSystem
import SQLite
@testable import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Stores that can be replaced", .temporaryFolder) struct StoreSuitabilityTests {
  private func error(_ path: String, replaced: Bool = true) throws -> Failure? {
    do {
      try StoreSuitability.check(StoreFiles(path), replaced: replaced)
      return nil
    } catch let error as Failure {
      return error
    }
  }

  @Test("a plain store can be", arguments: ["DELETE", "WAL"])
  func plain(journal: String) throws {
    #expect(try error(StoreSample.make(journal: journal)) == nil)
  }

  @Test("one with a second name cannot be, unless it is only read")
  func hardLink() throws {
    let path = try StoreSample.make()
    try FileManager.default.linkItem(atPath: path, toPath: samplePath("b.sqlite"))
    #expect(try error(path)?.why.contains("another name (a hard link)") == true)
    #expect(try error(path, replaced: false) == nil)
    try FileManager.default.linkItem(atPath: path, toPath: samplePath("c.sqlite"))
    #expect(try error(path)?.why == "The file has 2 other names (hard links).")
  }

  @Test("one with half a page at its end cannot be")
  func oddLength() throws {
    let path = try StoreSample.make()
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(count: 100))
    try file.close()
    #expect(try error(path)?.why.contains("page size") == true)
  }

  @Test("what is no database, or lies among strange things, cannot be")
  func strange() throws {
    let text = samplePath("text.sqlite")
    try Data(String(repeating: "words ", count: 2000).utf8).write(to: URL(filePath: text))
    #expect(try error(text)?.why.contains("SQLCipher") == true)
    let path = try StoreSample.make()
    try FileManager.default.createDirectory(
      atPath: path + "-wal", withIntermediateDirectories: false)
    #expect(try error(path) != nil)
  }

  @Test("one whose folder of large values is a link cannot be")
  func linkedValues() throws {
    let path = try StoreSample.make()
    let files = try StoreFiles(path)
    try FileManager.default.createDirectory(
      atPath: files.supportFolder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: files.externalDataFolder, withDestinationPath: TemporaryFolder.url.path)
    #expect(try error(path)?.why.contains("not a folder of its own") == true)
  }

  @Test(
    "the kind of a file system is that of its device, and those of other machines are known",
    arguments: [
      (UInt64(0x801), "ext4", false), (0x2b, "nfs4", true), (0x30, "fuse.sshfs", true),
      (0x99, "", false),
    ])
  func kinds(device: UInt64, kind: String, isRemote: Bool) {
    let lines = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      41 22 0:43 / /mnt/a\\040b rw shared:7 master:1 - nfs4 server:/files rw,vers=4.2
      42 22 0:48 / /mnt rw - fuse.sshfs user@server: rw
      """
    #expect(FileSystem.kind(ofDevice: device, in: lines) == kind)
    #expect(FileSystem.remoteKinds.contains(kind) == isRemote)
  }
}
