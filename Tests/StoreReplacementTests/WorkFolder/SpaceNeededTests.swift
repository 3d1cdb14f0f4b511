import CoreDataStore
import Foundation
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("The space that a run needs", .temporaryFolder) struct SpaceNeededTests {
  @Test("both disks' figures add up")
  func figures() {
    let spare: Int64 = 16 << 20
    let run = SpaceNeeded(old: 100, new: 130, stores: 2, oldBlobs: 7, newBlobs: 5)
    #expect(run.work == 100 + 260 + 5 + 7 + spare)
    #expect(run.store == 100 + 30 + 5 + spare)
    #expect(run.total == run.work + run.store)
    let plain = SpaceNeeded(old: 100, new: 30, oldBlobs: 7, hasBackup: false)
    #expect(plain.work == 130 + spare)
    #expect(plain.store == 100 + spare)
    let notes: Int64 = 3 * 192
    #expect(SpaceNeeded(old: 100, new: 30, scattered: 3).work == 100 + 16 * (30 + notes) + spare)
    // Two logs, a layer each, and a second one of one of them.
    let large: Int64 = 1 << 30
    #expect(
      SpaceNeeded(old: 100, new: large, stores: 2, scattered: 0).work == 100 + 8 * large + spare)
    let swap = SpaceNeeded(swapOf: 100, by: 130, oldBlobs: 7, newBlobs: 5, oldCopy: 100)
    #expect((swap.work, swap.store) == (107 + spare, 100 + 30 + 5 + spare))
  }

  @Test("where copies share blocks, large values take no room")
  func sharing() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    let needed = try SpaceNeeded(old: 100, new: 130, oldBlobs: 7, newBlobs: 5).needed(in: folder)
    let spare: Int64 = 16 << 20
    let home = TemporaryFolder.url.path
    let shares = Self.clones(in: home)
    #expect(needed.work == 100 + 130 + 5 + (shares ? 0 : 7) + spare)
    #expect(needed.store == 100 + 30 + (shares ? 0 : 5) + spare)
  }

  /// Whether cp can clone a file there, which asks the system in another way than we do.
  private static func clones(in folder: String) -> Bool {
    _ = FileManager.default.createFile(atPath: folder + "/a", contents: Data(count: 4096))
    let copy = Process()
    copy.executableURL = URL(filePath: "/bin/cp")
    copy.arguments = Platform.cloning + [folder + "/a", folder + "/b"]
    copy.standardError = nil
    guard (try? copy.run()) != nil else { return false }
    copy.waitUntilExit()
    return copy.terminationStatus == 0
  }

  @Test("too little is refused with the figures, enough is not")
  func check() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    try SpaceNeeded(old: 1, new: 1).check(folder)
    let error = #expect(throws: Failure.self) {
      try SpaceNeeded(old: 1 << 60, new: 1).check(folder)
    }
    #expect(error?.kind == .refused)
    #expect(error?.why.contains("are needed") == true)
  }

  @Test("a run without a swap needs neither room for a backup nor for a journal")
  func withoutSwap() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    let system = try FileManager.default.attributesOfFileSystem(
      forPath: FileManager.default.temporaryDirectory.path)
    let free = try #require((system[.systemFreeSize] as? NSNumber)?.int64Value)
    // Copy and new store fit; the backup, or one more store next to it, would not.
    let half = free / 5 * 2
    let needed = SpaceNeeded(old: half, new: half)
    try needed.check(withoutSwap: folder)
    #expect(throws: Failure.self) { try needed.check(folder) }
    let keep = TemporaryFolder.url.appending(path: "Kept.sqlite").path
    #expect(throws: Failure.self) { try needed.check(withoutSwap: folder, keep: keep) }
  }
}
