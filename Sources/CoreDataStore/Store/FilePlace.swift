internal import OperatingSystem
internal import SQLite

/// Where a path leads, however it is spelled: links are resolved as far as anything is there.
package struct FilePlace: Sendable {
  /// The resolved path, from the root on.
  package let path: String
  private let identity: FileIdentity?

  /// Looks where a path leads; nothing need be there.
  package init(_ path: String) { self.init(resolved: FileSystem.resolved(path)) }

  private init(resolved path: String) {
    self.path = path
    identity = (try? FileEntry.at(path))?.identity
  }

  /// Whether something is there.
  package var isThere: Bool { identity != nil }

  /// Whether a regular file is there.
  package var isRegular: Bool { (try? FileEntry.at(path))?.isRegular == true }

  /// Whether to open it waits for no other process, as a pipe with a name does; the pipe of a
  /// shell's `<(...)` has none, and is open at both ends.
  package var isOpenedAtOnce: Bool { !isThere || isRegular || isFolder }

  package var isFolder: Bool { (try? FileEntry.at(path))?.isFolder == true }

  /// Whether both lead to the same file, be it by another name of it.
  package func isSame(as other: FilePlace) -> Bool {
    if let identity, let theirs = other.identity { return identity == theirs }
    // Where nothing is yet, a file system may take names of other case for the same.
    return path.lowercased() == other.path.lowercased()
  }

  /// Whether it is a folder, or anywhere in it.
  package func isWithin(_ folder: FilePlace) -> Bool {
    withParents.contains { $0.isSame(as: folder) }
  }

  private var withParents: [FilePlace] {
    [self] + pathWithParents.dropFirst().map(FilePlace.init(resolved:))
  }

  /// Its path, then that of the folder that it is in, and so on up to the root.
  package var pathWithParents: [String] {
    var paths = [path]
    while let last = paths.last, last != "/" { paths.append(FileSystem.folder(of: last)) }
    return paths
  }
}
