internal import Foundation
package import OperatingSystem
internal import Synchronization

/// The name of a folder for what does not last, and a lock next to it that its owner holds.
///
/// A process that is killed leaves the folder with what it copied of a store. The next one that
/// makes such a folder in the same place finds the lock free, and removes both. A folder without a
/// lock, a link, and what another user owns are never removed.
package final class OwnedFolder {
  /// What a folder is for, as its name begins.
  package enum Purpose: String, CaseIterable {
    /// A copy of a store to look at.
    case look
    /// A run that leaves nothing.
    case dry
    /// A trial of scripts.
    case trial
  }

  /// The folder's path; the holder of the name makes it.
  package let path: String
  private var lock: OpenDescriptor?

  /// A name that nothing has yet, in `parent` or where the system has files that do not last.
  package init(_ purpose: Purpose, in parent: String? = nil) throws(SystemError) {
    let parent = parent ?? Self.system
    Self.removeLeftOnce(in: parent)
    for _ in 0..<Self.attempts {
      let path = "\(parent)/\(Self.beginning)\(purpose.rawValue)-\(UUID().uuidString)"
      // Another process may have taken it for one that was left.
      guard let lock = try OpenDescriptor.taking(path + Self.suffix) else { continue }
      self.path = path
      self.lock = consume lock
      return
    }
    throw SystemError.locked
  }

  deinit { remove() }

  /// Removes the folder with all that is in it, then its lock.
  package func remove() {
    guard lock != nil else { return }
    // What stays is tried again by the next process: the lock is free then.
    if (try? FileMoves.removeTree(path)) != nil { try? FileMoves.remove(path + Self.suffix) }
    lock = nil
  }

  /// Where the system has files that do not last.
  package static var system: String { FileManager.default.temporaryDirectory.path }

  /// What the names of such folders, and of their locks, begin with.
  package static let beginning = "pipeline-"
  private static let suffix = ".lock"
  private static let attempts = 5
}

// What killed processes have left.
extension OwnedFolder {
  private static let seen = Mutex<Set<String>>([])

  /// Looks at a place once in the life of the process.
  private static func removeLeftOnce(in parent: String) {
    if seen.withLock({ $0.insert(parent).inserted }) { removeLeft(in: parent) }
  }

  /// Removes the folders whose owners are dead.
  ///
  /// Nothing goes where another user could put a link in the place of what is removed. What cannot
  /// be removed stays.
  package static func removeLeft(in parent: String? = nil) {
    guard let parent = try? FileSystem.realPath(parent ?? system),
      (try? FileEntry.at(parent))??.keepsNames == true
    else { return }
    let names = (try? FileSystem.names(in: parent, beginning: beginning)) ?? []
    for name in names where isLock(name) { try? removeLeft(lockedBy: "\(parent)/\(name)") }
  }

  /// Whether a name is that of a lock.
  private static func isLock(_ name: String) -> Bool {
    guard name.hasSuffix(suffix),
      let purpose = Purpose.allCases.first(where: {
        name.hasPrefix("\(beginning)\($0.rawValue)-")
      })
    else { return false }
    let id = name.dropFirst("\(beginning)\(purpose.rawValue)-".count).dropLast(suffix.count)
    return UUID(uuidString: String(id))?.uuidString == String(id)
  }

  private static func removeLeft(lockedBy path: String) throws {
    let lock = try OpenDescriptor(reading: path)
    let entry = try FileEntry.of(lock)
    guard entry.isRegular, entry.isOwn, try lock.lock(),
      try FileEntry.at(path)?.identity == entry.identity
    else { return }
    let folder = String(path.dropLast(suffix.count))
    if let left = try FileEntry.at(folder) {
      guard left.isFolder, left.isOwn else { return }
      try FileMoves.removeTree(folder)
    }
    try FileMoves.remove(path)
  }
}
