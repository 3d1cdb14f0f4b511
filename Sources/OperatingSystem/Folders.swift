// Folders, and what makes names in them last.
extension FileSystem {
  /// Makes a folder, and those above it that are not there.
  package static func makeFolders(_ path: String) throws(SystemError) {
    guard try FileEntry.at(path) == nil else { return }
    let parent = folder(of: path)
    if path.contains("/"), parent != path { try makeFolders(parent) }
    try FileSystem.makeFolder(path, mode: 0o777)
  }

  /// Makes sure that a file's content outlives a power cut.
  package static func sync(_ path: String) throws(SystemError) {
    try OpenDescriptor(reading: path).sync()
  }

  /// Makes sure that the names in a folder outlive a power cut.
  ///
  /// "Calling fsync() does not necessarily ensure that the entry in the directory containing the
  /// file has also reached disk. For that an explicit fsync() on a file descriptor for the
  /// directory is also needed" (fsync(2)).
  package static func sync(folder path: String) throws(SystemError) {
    // The path may be a link to the folder, as /tmp is on macOS.
    try OpenDescriptor(folder: path + "/.").sync()
  }

  /// The same for the folder that a path lies in.
  package static func sync(folderOf path: String) throws(SystemError) {
    try sync(folder: folder(of: path))
  }

  /// The path of the folder that a path lies in.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }
}
