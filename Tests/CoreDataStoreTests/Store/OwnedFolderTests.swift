import Foundation
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Folders with an owner", .temporaryFolder) struct OwnedFolderTests {
  private func place() throws -> String {
    let place = samplePath("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    return place
  }

  private func names(_ place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place).sorted()
  }

  /// A folder with a store in it, and the lock that a killed process left of it.
  private func left(_ place: String, _ number: Int, purpose: String = "look") throws -> String {
    let name = "\(place)/pipeline-\(purpose)-00000000-0000-4000-8000-00000000000\(number)"
    try FileManager.default.createDirectory(
      atPath: name + "/more", withIntermediateDirectories: true)
    try Data("store".utf8).write(to: URL(filePath: name + "/more/a.sqlite"))
    try Data().write(to: URL(filePath: name + ".lock"))
    return name
  }

  @Test(
    "what killed processes left goes when the next folder is made, whatever it was for", .alone)
  func dead() async throws {
    let place = try place()
    await #expect(processExitsWith: .signal(SIGKILL)) { [place = place as String] in
      let folder = try OwnedFolder(.look, in: place)
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: false)
      try Data("store".utf8).write(to: URL(filePath: folder.path + "/a.sqlite"))
      kill(getpid(), SIGKILL)
    }
    #expect(try names(place).count == 2)
    for purpose in ["look", "dry", "trial"] { _ = try left(place, 1, purpose: purpose) }
    #expect(try names(place).count == 8)
    do {
      let next = try OwnedFolder(.dry, in: place)
      #expect(try names(place) == [URL(filePath: next.path).lastPathComponent + ".lock"])
    }
    #expect(try names(place) == [])
  }

  @Test("what a living process has stays") func alive() throws {
    let place = try place()
    let folder = try OwnedFolder(.trial, in: place)
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    OwnedFolder.removeLeft(in: place)
    #expect(try names(place).count == 2)
    folder.remove()
    #expect(try names(place) == [])
  }

  @Test("what has no lock, another name, or is a link stays") func strange() throws {
    let place = try place()
    let unlocked = try left(place, 1)
    try FileManager.default.removeItem(atPath: unlocked + ".lock")
    let linked = try left(place, 2)
    let target = samplePath("mine")
    try FileManager.default.moveItem(atPath: linked, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: target)
    let lockedByLink = try left(place, 3)
    try FileManager.default.removeItem(atPath: lockedByLink + ".lock")
    try FileManager.default.createSymbolicLink(
      atPath: lockedByLink + ".lock", withDestinationPath: unlocked + "/more/a.sqlite")
    _ = try left(place, 4, purpose: "mine")
    let before = try names(place)
    OwnedFolder.removeLeft(in: place)
    #expect(try names(place) == before)
    #expect(FileManager.default.fileExists(atPath: target + "/more/a.sqlite"))
  }

  @Test("nothing goes from a place in which others can put links") func open() throws {
    let place = try place()
    _ = try left(place, 1)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place)
    OwnedFolder.removeLeft(in: place)
    #expect(try names(place).count == 2)
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: place)
    OwnedFolder.removeLeft(in: place)
    #expect(try names(place) == [])
  }

  @Test(
    "what another user owns stays", .enabled(if: geteuid() == 0, "only root gives files away"))
  func otherUser() throws {
    let place = try place()
    for (number, suffix) in [(1, ""), (2, ".lock")] {
      let name = try left(place, number)
      try FileManager.default.setAttributes(
        [.ownerAccountID: 65534], ofItemAtPath: name + suffix)
    }
    OwnedFolder.removeLeft(in: place)
    #expect(try names(place).count == 4)
  }
}
