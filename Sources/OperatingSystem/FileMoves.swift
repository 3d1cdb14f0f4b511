internal import SystemHost

/// The calls that move and delete files, and make sure that they stay moved.
///
/// Nothing else does either: a test keeps the callers to what replaces a store, and to copies that
/// are the program's own.
package enum FileMoves {
  /// What the name of a file ends in that is not whole yet: no other program's file is called so.
  package static let unfinished = ".pipeline-part"

  /// Gives a file another name; what had that name is gone, at once and for good.
  ///
  /// "If the link named by the new argument exists, it shall be removed ... In this case, a link
  /// named new shall remain visible to other threads throughout the renaming operation" (POSIX,
  /// rename). The folder is synced, so that the new name outlives a power cut, unless the caller
  /// does so later or can do with the old one.
  package static func rename(
    _ old: String, to new: String, syncingFolder: Bool = true
  ) throws(SystemError) {
    try SystemError.gate("rename", new)
    try SystemError.check("rename", unsafe sh_rename(old, new))
    if syncingFolder { try FileSystem.sync(folderOf: new) }
  }

  /// Gives a file another name that nothing has yet.
  ///
  /// - Returns: What failed once the file had its new name: a power cut may take it away, or the
  ///   old one is still there, too.
  package static func renameToNew(
    _ old: String, to new: String
  ) throws(SystemError) -> SystemError? {
    try SystemError.gate("rename", new)
    var keepsOld = false
    do throws(SystemError) {
      try SystemError.check("rename", unsafe sh_rename_new(old, new))
    } catch {
      guard !error.isTaken else { throw error }
      try linkToNew(old, to: new)
      keepsOld = true
    }
    do throws(SystemError) {
      if keepsOld { try remove(old) }
      try FileSystem.sync(folderOf: new)
      return nil
    } catch {
      return error
    }
  }

  /// The same in two steps, where the file system cannot do it in one; the old name stays.
  ///
  /// "If path2 names an existing file, link() shall fail" (POSIX); where a file system has no links
  /// the name is looked at first.
  private static func linkToNew(_ old: String, to new: String) throws(SystemError) {
    try SystemError.gate("link", new)
    do throws(SystemError) {
      try SystemError.check("link", unsafe sh_link_file(old, new))
    } catch {
      guard !error.isTaken else { throw error }
      guard try FileEntry.at(new) == nil else { throw SystemError.taken("rename") }
      try rename(old, to: new, syncingFolder: false)
    }
  }

  /// Gives a file one more name, which nothing has yet.
  ///
  /// It is a copy that takes no room, for a file that is not written again.
  ///
  /// - Returns: Whether the file system has links.
  package static func link(_ old: String, to new: String) throws(SystemError) -> Bool {
    try SystemError.gate("link", new)
    let result = unsafe sh_link_file(old, new)
    if result < 0, try FileEntry.at(new) != nil { throw SystemError("link", -result) }
    return result >= 0
  }

  /// Removes a file, if it is there.
  package static func remove(_ path: String) throws(SystemError) {
    try SystemError.gate("unlink", path)
    do throws(SystemError) {
      try SystemError.check("unlink", unsafe sh_unlink(path))
    } catch {
      if !error.isMissing { throw error }
    }
  }

  /// Removes a folder of ours and all that is in it, if it is there; a link is not followed.
  ///
  /// `lock` is the name of what goes last: from then on another process may use the folder, which
  /// stays if that has begun to.
  package static func removeTree(_ path: String, lock: String? = nil) throws {
    guard let entry = try FileEntry.at(path) else { return }
    guard entry.isFolder else { return try remove(path) }
    var names: [String] = []
    try FileSystem.forEachName(in: path) { if $0 != lock { names.append($0) } }
    for name in names { try removeTree("\(path)/\(name)") }
    if let lock { try removeTree("\(path)/\(lock)") }
    try SystemError.gate("rmdir", path)
    do throws(SystemError) {
      try SystemError.check("rmdir", unsafe sh_remove_folder(path))
    } catch {
      guard lock != nil, error.isMissing || error.isNotEmpty else { throw error }
    }
  }

  /// Copies a file to a new name so that all of it, or nothing, has that name.
  ///
  /// It takes over the permissions, owner and extended attributes of `model`.
  package static func copyWhole(_ source: String, to target: String, like model: String) throws {
    try makeWhole(target) {
      try FileSystem.clone(source, to: $0)
      try FileSystem.copyAttributes(from: model, to: $0)
    }
  }

  /// Makes a file so that all of it, or nothing, has its name; `fill` makes it under another one,
  /// with its permissions and whatever else it has in addition to its content.
  ///
  /// Another file of that name stays, unless the new one `replaces` it.
  package static func makeWhole(
    _ target: String, replaces: Bool = false, fill: (String) throws -> Void
  ) throws {
    guard replaces else {
      if let failure = try makeNew(target, fill: fill) { throw failure }
      return
    }
    try makePart(of: target) { part in
      try fill(part)
      try FileSystem.sync(part)
      try rename(part, to: target)
    }
  }

  /// The same for a name that nothing has yet.
  ///
  /// - Returns: What failed once the whole file had its name, as in ``renameToNew(_:to:)``.
  package static func makeNew(
    _ target: String, fill: (String) throws -> Void
  ) throws -> SystemError? {
    try makePart(of: target) { part in
      try fill(part)
      try FileSystem.sync(part)
      let made = try FileEntry.at(part)?.identity
      let failure = try renameToNew(part, to: target)
      if failure != nil { try? remove(part) }
      // Another process that makes the same file has removed this one's part and has its own.
      guard try FileEntry.at(target)?.identity == made else { throw SystemError.taken("rename") }
      return failure
    }
  }

  private static func makePart<Result>(
    of target: String, body: (String) throws -> Result
  ) throws -> Result {
    let part = target + unfinished
    try remove(part)
    do {
      return try body(part)
    } catch {
      // A disk that is full must not stay full because of it.
      try? remove(part)
      throw error
    }
  }

  /// Writes a small file so that the old content or the new one is there, whatever happens; the new
  /// one for good when the folder is synced.
  package static func write(
    _ bytes: [UInt8], to path: String, syncingFolder: Bool = true
  ) throws(SystemError) {
    let temporary = path + ".new"
    try remove(temporary)
    do throws(SystemError) {
      let file = try OpenDescriptor(creating: temporary)
      try file.write(bytes[...])
      // "After a failed fsync the state of the file is unknown": it is never renamed then.
      try file.sync()
    } catch {
      try? remove(temporary)
      throw error
    }
    try rename(temporary, to: path, syncingFolder: syncingFolder)
  }

  /// Writes a small file of which no more is asked than that it is whole.
  package static func writeUnsynced(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let temporary = path + ".new"
    try remove(temporary)
    try OpenDescriptor(creating: temporary).write(bytes[...])
    try SystemError.check("rename", unsafe sh_rename(temporary, path))
  }
}
