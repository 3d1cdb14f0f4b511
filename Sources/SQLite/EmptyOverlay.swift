package import OperatingSystem

// An overlay on nothing: all that is written goes into its log.
extension Overlay {
  /// What the name of the base ends with, behind that of the overlay.
  package static let baseSuffix = "-base"

  /// Makes a new overlay of a database without tables, whose base is a file of its own.
  ///
  /// So a database that is new as a whole needs no sync from commit to commit: see ``Overlay``.
  package static func makeEmpty(at path: String, pageSize: Int) throws {
    var mode = OpenMode.own(create: true)
    (mode.durability, mode.pageSize) = (.off, pageSize)
    let base = try Connection(path: path + baseSuffix, mode: mode)
    // Nothing is changed by it, but it makes the first page.
    try base.execute("PRAGMA main.user_version = 0")
    try base.close()
    try make(at: path, on: path + baseSuffix)
  }

  /// Whether the base of an overlay is there: it is not synced before its log is.
  package static func hasBase(_ path: String) throws(SystemError) -> Bool {
    guard let base = try ground(at: path)?.base else { return false }
    return try FileEntry.at(base) != nil
  }
}
