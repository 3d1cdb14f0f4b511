internal import Foundation
internal import SystemHost

/// Questions to the file system about paths, and folders that are made.
///
/// What moves and removes files is not here: see `FileMoves`.
package enum FileSystem {
  /// The path with every symbolic link resolved.
  package static func realPath(_ path: String) throws(SystemError) -> String {
    var error: Int32 = 0
    let resolved = unsafe sh_real_path(path, &error)
    try SystemError.check("realpath", error)
    defer { unsafe sh_free(resolved) }
    return unsafe resolved.map { unsafe String(cString: $0) } ?? path
  }

  /// Whether the user may change a file, or make files in a folder.
  package static func mayWrite(_ path: String) -> Bool { unsafe sh_may_write(path) }

  /// Hands over the name of everything in a folder, one at a time.
  package static func forEachName(
    in folder: String, _ body: (String) throws -> Void
  ) throws {
    for name in try names(in: folder) { try body(name) }
  }

  /// The name of everything in a folder, or of what begins like that.
  package static func names(
    in folder: String, beginning: String = ""
  ) throws(SystemError) -> [String] {
    var names: [String] = []
    let result = unsafe withUnsafeMutablePointer(to: &names) { names in
      unsafe sh_names(folder, beginning, names) { context, name in
        guard let context = unsafe context, let name = unsafe name else { return true }
        unsafe context.assumingMemoryBound(to: [String].self).pointee
          .append(String(cString: name))
        return true
      }
    }
    try SystemError.check("readdir", result)
    return names
  }

  /// Makes a folder for its owner alone, unless there is one.
  package static func makeFolder(
    _ path: String, mode: UInt32 = 0o700
  ) throws(SystemError) {
    try SystemError.gate("mkdir", path)
    let result = unsafe sh_make_folder(path, mode)
    guard result < 0 else { return }
    let error = SystemError("mkdir", -result)
    guard error.isTaken else { throw error }
    guard try isFolder(path) else { throw SystemError("mkdir", sh_missing) }
  }

  /// Whether a folder is there; anything else that is there, a link to one too, is an error.
  package static func isFolder(_ path: String) throws(SystemError) -> Bool {
    guard let entry = try FileEntry.at(path) else { return false }
    guard entry.isFolder else { throw .noFolder(isLink: entry.isLink) }
    return true
  }

  /// How many bytes the user may still write where the path is.
  package static func freeBytes(at path: String) throws(SystemError) -> Int64 {
    #if FAULTS
    if FileFaults.countsOnSpace { return .max }
    #endif
    return try SystemError.check("statvfs", unsafe sh_free_bytes(path))
  }

  /// Whether the path is on a file system of another machine, where locks cannot be relied on.
  package static func isRemote(_ path: String) throws(SystemError) -> Bool {
    let isLocal = unsafe sh_is_local(path)
    if isLocal >= 0 { return isLocal == 0 }
    guard let device = try FileEntry.at(path)?.identity.device else { return false }
    let lines = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    return remoteKinds.contains(kind(ofDevice: device, in: lines ?? ""))
  }

  /// The folder for a user's settings.
  package static func settings(home: String?) -> String {
    "\(home ?? "~")/\(unsafe String(cString: sh_settings_folder()))"
  }
}
