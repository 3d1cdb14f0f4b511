internal import SystemHost

// Content and attributes of files, carried to others.
extension FileSystem {
  /// The bytes of a regular file of a folder, as many as a store's value may have.
  package static func content(
    of name: String, in folder: borrowing OpenDescriptor, most: Int64 = 1_000_000_000
  ) throws(SystemError) -> [UInt8] {
    let file = try OpenDescriptor(reading: name, in: folder)
    let entry = try FileEntry.of(file)
    guard entry.isRegular else { throw .notRegular }
    guard entry.size <= most else { throw .tooLarge }
    let bytes = try file.read(Int(entry.size), at: 0)
    guard bytes.count == Int(entry.size) else { throw .cutOff }
    return bytes
  }

  /// Copies a regular file to a new one: sharing its blocks where the file system can.
  package static func clone(_ source: String, to target: String) throws(SystemError) {
    try clone(OpenDescriptor(reading: source), to: target)
  }

  /// The same, from a file that is open and stays so.
  package static func clone(
    _ from: borrowing OpenDescriptor, to target: String
  ) throws(SystemError) {
    guard try FileEntry.of(from).isRegular else { throw .notRegular }
    try SystemError.gate("clone", target)
    var made: Int32 = -1
    let result = unsafe sh_clone(from.number, target, &made)
    if result >= 0, made < 0 { return }
    let error = SystemError("clone", -result)
    if result < 0, error.isTaken || error.isMissing || error.isDenied { throw error }
    let to = try made < 0 ? OpenDescriptor(creating: target) : OpenDescriptor(made: made, target)
    var place: Int64 = 0
    while true {
      let bytes = try from.read(piece, at: place)
      if bytes.isEmpty { return }
      try to.write(bytes[...])
      place += Int64(bytes.count)
    }
  }

  /// How much of a file that is read to its end is held at a time: what a processor has in its own
  /// cache when it is written or hashed next.
  package static let piece = 1 << 18

  /// Whether a copy that goes from one folder to another shares its blocks with the original.
  package static func sharesBlocks(_ one: String, _ other: String) -> Bool {
    unsafe sh_shares_blocks(one, other)
  }

  /// Whether a file in a folder can have a second name.
  package static func hasLinks(_ folder: String) -> Bool { unsafe sh_has_links(folder) }

  /// Gives one file the permissions, the owner and the extended attributes of another.
  ///
  /// Only root may give files away, and not every file system has such attributes: what cannot be
  /// taken over is left as it is.
  package static func copyAttributes(
    from source: String, to target: String
  ) throws(SystemError) {
    try copyAttributes(of: OpenDescriptor(reading: source), to: target)
  }

  /// The same, from a file that is open and stays so.
  package static func copyAttributes(
    of from: borrowing OpenDescriptor, to target: String
  ) throws(SystemError) {
    let to = try OpenDescriptor(reading: target)
    try SystemError.gate("fchmod", target)
    try SystemError.check("fchmod", sh_copy_attributes(from.number, to.number))
  }

  /// Gives a folder the protection class of a file, where the system has such classes.
  ///
  /// New files in it get the class, too: a copy of a store is protected as the store is.
  package static func protect(_ folder: String, like file: String) throws(SystemError) {
    let from = try OpenDescriptor(reading: file)
    let to = try OpenDescriptor(folder: folder)
    sh_copy_protection(from.number, to.number)
  }
}
