import Foundation

/// What the tests of replacing do in another way on each platform.
enum Platform {
  /// The option of cp that clones a file or fails.
  static var cloning: [String] {
    #if canImport(Darwin)
    ["-c"]
    #else
    ["--reflink=always"]
    #endif
  }

  /// Makes a named pipe; false when that cannot be done.
  static func makePipe(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }

  /// Closes the sockets that a process of an exit test was born with.
  ///
  /// On Linux it has a copy of whatever its test had open just then. By a socket Foundation's
  /// `Process` sees that a command has ended, when nobody has its other end any more.
  static func leaveSockets() {
    #if !canImport(Darwin)
    let folder = "/proc/self/fd"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      guard file?.hasPrefix("socket:") == true, let descriptor = Int32(name) else { continue }
      close(descriptor)
    }
    #endif
  }
}
