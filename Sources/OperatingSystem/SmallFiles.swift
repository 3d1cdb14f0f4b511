// Files of ours that are small enough to be read at once.
extension FileSystem {
  /// The first bytes of a regular file, fewer when it is shorter; nil when nothing is there.
  package static func start(of path: String, count: Int) throws(SystemError) -> [UInt8]? {
    guard try FileEntry.at(path)?.isRegular == true else { return nil }
    return try OpenDescriptor(reading: path).read(count, at: 0)
  }

  /// A small file that is written whole, each time under a new name; none of its bytes when there
  /// are too many of them, nil when nothing is there.
  ///
  /// It is opened once, so that what is read is not a part of one version and a part of the next.
  package static func record(_ path: String, most: Int) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try OpenDescriptor(reading: path)
      let entry = try FileEntry.of(file)
      guard entry.isRegular else {
        throw entry.isFolder ? .folder : .notRegular
      }
      return entry.size <= Int64(most) ? try file.read(Int(entry.size), at: 0) : []
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}
