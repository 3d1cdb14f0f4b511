import Foundation

/// A disk of its own that loses, when the power is cut, all that was not synced.
///
/// It is a file in memory with a file system on it. What a process has written reaches that file
/// only when it is synced, or some seconds later: a copy of the file, taken when the process is
/// killed, is what the disk has after a power cut. The file system keeps no order between a file's
/// content and its name unless it is asked to.
final class PowerCut {
  private let place: URL
  private let file: URL
  private let device: String

  // Nothing is written by the system meanwhile, else the copy would be of no one moment.
  private static let options = "data=writeback,noauto_da_alloc,noinit_itable,commit=300"
  private static let bytes = 64 << 20

  /// Why there can be none; nil when there can be one.
  static func obstacle(in scratch: URL) -> String? {
    do {
      let trial = scratch.appending(path: "power")
      try FileManager.default.createDirectory(at: trial, withIntermediateDirectories: true)
      let disk = try PowerCut(at: trial, scratch)
      try disk.remove()
      return nil
    } catch {
      return "loop devices and ext4 take Linux and root: \(error)"
    }
  }

  /// Makes a disk and mounts it at a place, a folder that is there.
  init(at place: URL, _ scratch: URL) throws {
    self.place = place
    file = scratch.appending(path: "disk.img")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(Self.bytes))
    try handle.close()
    try Shell.call("mkfs.ext4", ["-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", file.path])
    device = try Shell.call("losetup", ["--find", "--show", file.path])
    do {
      try mount()
      try Shell.call("rmdir", [place.appending(path: "lost+found").path])
    } catch {
      _ = try? Shell.call("losetup", ["--detach", device])
      throw error
    }
  }

  private func mount() throws {
    try Shell.call("mount", ["-o", Self.options, device, place.path])
  }

  /// Makes sure that all is on it, as long before as one likes.
  func settle() throws { try Shell.call("sync", ["--file-system", place.path]) }

  /// Cuts the power and starts again.
  func cut() throws {
    let left = file.appendingPathExtension("cut")
    try Shell.call("cp", ["--sparse=always", file.path, left.path])
    try unmount()
    // The disk is still that file, and forgets what it has read of it.
    try Shell.call("cp", ["--sparse=always", left.path, file.path])
    try Shell.call("blockdev", ["--flushbufs", device])
    try mount()
  }

  /// A process that was killed has its files for another moment, in which the disk is busy.
  private func unmount() throws {
    for _ in 0..<500 {
      if (try? Shell.call("umount", [place.path])) != nil { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    try Shell.call("umount", [place.path])
  }

  /// Unmounts it.
  func remove() throws {
    try? unmount()
    try Shell.call("losetup", ["--detach", device])
  }
}

extension PointTest {
  /// Cuts the power before a call; nil when all was as it must be, else what was not.
  func cutPower(at point: Int) throws -> String? {
    let place = scratch.appending(path: "trial")
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let disk = try PowerCut(at: place, scratch)
    defer { try? disk.remove() }
    try Shell.call("cp", ["-a", template.folder.path + "/.", place.path])
    try disk.settle()
    return try fail(.kill, at: point, in: Trial(at: place)) { try disk.cut() }
  }
}
