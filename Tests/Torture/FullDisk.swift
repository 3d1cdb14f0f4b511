import Foundation

/// A small file system that is really full, in memory; where the user may mount one.
enum FullDisk {
  /// Why there is none here; nil when there can be one.
  static func obstacle() -> String? {
    guard FileManager.default.fileExists(atPath: "/proc/mounts") else {
      return "this system has no tmpfs"
    }
    let trial = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: trial) }
    try? FileManager.default.createDirectory(at: trial, withIntermediateDirectories: true)
    guard (try? mount("size=64k", at: trial)) != nil else { return "mounting one takes root" }
    try? unmount(trial)
    return nil
  }

  /// So many bytes more than a store and its command begin with; afterwards there is plenty.
  static func test(_ bench: Bench, bytes: Int, in scratch: URL) throws -> Score {
    let place = scratch.appending(path: "disk")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try mount("size=\(plenty)", at: place)
    defer { try? unmount(place) }
    let failure = try PointTest(bench, in: place).inNeed {
      let system = try FileManager.default.attributesOfFileSystem(forPath: place.path)
      let free = (system[.systemFreeSize] as? NSNumber)?.intValue ?? 0
      try mount("remount,size=\(plenty - free + bytes)", at: place)
    } help: {
      try mount("remount,size=\(plenty)", at: place)
    }
    return Score(points: 1, failures: failure.map { ["\($0), with \(bytes) bytes free"] } ?? [])
  }

  private static let plenty = 64 << 20

  private static func mount(_ options: String, at place: URL) throws {
    try Shell.call("mount", ["-t", "tmpfs", "-o", options, "tmpfs", place.path])
  }

  private static func unmount(_ place: URL) throws { try Shell.call("umount", ["-l", place.path]) }
}
