internal import SystemHost

/// An open file or folder, closed when it goes; the file of a connection when that has gone, too.
package struct OpenDescriptor: ~Copyable {
  package let number: Int32
  package let path: String

  private init(_ number: Int32, _ call: String, _ path: String) throws(SystemError) {
    self.number = try SystemError.check(call, number)
    self.path = path
  }

  private init(_ path: String, _ way: sh_way) throws(SystemError) {
    try self.init(unsafe sh_open(path, way), "open", path)
  }

  /// Opens for reading, without following a link or waiting for a FIFO's other end.
  package init(reading path: String) throws(SystemError) { try self.init(path, SH_READ) }

  /// Opens for reading what the user names: links are followed, and a pipe's other end is waited
  /// for.
  package init(following path: String) throws(SystemError) {
    try self.init(path, SH_READ_FOLLOWING)
  }

  /// Opens a file of a folder as ``init(reading:)`` does.
  package init(
    reading name: String, in folder: borrowing OpenDescriptor
  ) throws(SystemError) {
    try self.init(unsafe sh_open_in(folder.number, name), "openat", name)
  }

  /// Opens a folder that is no link.
  package init(folder path: String) throws(SystemError) { try self.init(path, SH_FOLDER) }

  /// Makes a file that must not be there yet, for its owner alone.
  package init(creating path: String) throws(SystemError) {
    try SystemError.gate("open", path)
    try self.init(path, SH_CREATE)
  }

  /// Makes a file that must not be there yet, for its owner alone, to be written and read again.
  package init(creatingToRead path: String) throws(SystemError) {
    try SystemError.gate("open", path)
    try self.init(path, SH_CREATE_TO_READ)
  }

  /// Makes a file that must not be there yet, with the permissions that the user's files have.
  package init(creatingShared path: String) throws(SystemError) {
    try SystemError.gate("open", path)
    try self.init(path, SH_CREATE_SHARED)
  }

  /// Opens a file to be locked, made when it is not there.
  package init(locking path: String) throws(SystemError) {
    try SystemError.gate("open", path)
    try self.init(path, SH_LOCK)
  }

  /// Takes over a descriptor of a file that was made just now.
  init(made number: Int32, _ path: String) { (self.number, self.path) = (number, path) }

  deinit { OpenFiles.close(number) }

  /// Takes the file's one lock without waiting; false when another descriptor has it.
  ///
  /// It goes with the descriptor, whatever ends the process (flock(2)).
  package func lock() throws(SystemError) -> Bool {
    let result = sh_lock(number)
    if result == -sh_locked { return false }
    try SystemError.check("flock", result)
    return true
  }

  /// Makes a file where there is none, and takes its lock; nil when another process has it.
  ///
  /// Who removes a file while it has its lock leaves the next one a lock that guards nothing: the
  /// file must have its name still.
  package static func taking(_ path: String) throws(SystemError) -> OpenDescriptor? {
    let descriptor = try OpenDescriptor(locking: path)
    let entry = try FileEntry.of(descriptor)
    guard entry.isRegular else { throw .notRegular }
    guard try descriptor.lock() else { return nil }
    guard try FileEntry.at(path)?.identity == entry.identity else { return nil }
    return descriptor
  }

  /// Gives the lock back at once, for all who have the descriptor.
  ///
  /// A process that is being started holds copies of it until it runs its program: closing this one
  /// leaves the lock with them, LOCK_UN "on any of these duplicate file descriptors" does not
  /// (flock(2)).
  package func unlock() { sh_unlock(number) }

  /// Makes sure that what was written outlives a power cut.
  package func sync() throws(SystemError) {
    try SystemError.gate("fsync", path)
    try SystemError.check("fsync", sh_sync(number))
  }

  /// Whether another descriptor is open on the file, this process's own included; false where the
  /// system does not report it.
  package func isOpenElsewhere() -> Bool { sh_is_open_elsewhere(number) }
}

// Reading and writing.
extension OpenDescriptor {
  /// Up to so many bytes from a place in the file: fewer at its end.
  package func read(_ count: Int, at place: Int64) throws(SystemError) -> [UInt8] {
    let number = number
    var length: Int64 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      length = unsafe sh_read(number, buffer.baseAddress, count, place)
      filled = Int(max(0, length))
    }
    try SystemError.check("pread", length)
    return bytes
  }

  /// Fills a buffer from a place in the file; gives back how much of it, less at the file's end.
  package func fill(
    _ buffer: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(SystemError) -> Int {
    Int(
      try SystemError.check(
        "pread", unsafe sh_read(number, buffer.baseAddress, buffer.count, place)))
  }

  /// Whether these bytes are all that the file has.
  package func contains(_ bytes: [UInt8]) throws(SystemError) -> Bool {
    guard try FileEntry.of(self).size == Int64(bytes.count) else { return false }
    let number = number
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe sh_contains(number, buffer.baseAddress, buffer.count)
    }
    return try SystemError.check("pread", result) == 1
  }

  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      #if FAULTS
      switch FileFaults.verdict(on: "write", path) {
      case .go: break
      case .fail(let number): throw SystemError("write", number)
      case .tear: tear(rest)
      }
      #endif
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe sh_write(number, buffer.baseAddress, buffer.count)
      }
      // To write nothing would never end.
      guard count != 0 else { throw SystemError("write", SystemError.cutOff.number) }
      rest = rest.dropFirst(Int(try SystemError.check("write", count)))
    }
  }

  /// The same at a place in the file, which stays where it is for ``write(_:)``.
  package func write(_ bytes: ArraySlice<UInt8>, at place: Int64) throws(SystemError) {
    var (rest, place) = (bytes, place)
    while !rest.isEmpty {
      #if FAULTS
      switch FileFaults.verdict(on: "pwrite", path) {
      case .go: break
      case .fail(let number): throw SystemError("pwrite", number)
      case .tear: tear(rest, at: place)
      }
      #endif
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe sh_write_at(number, buffer.baseAddress, buffer.count, place)
      }
      // To write nothing would never end.
      guard count != 0 else { throw SystemError("pwrite", SystemError.cutOff.number) }
      rest = rest.dropFirst(Int(try SystemError.check("pwrite", count)))
      place += count
    }
  }

  #if FAULTS
  private func tear(_ bytes: ArraySlice<UInt8>, at place: Int64? = nil) {
    unsafe bytes.prefix(bytes.count / 2).withUnsafeBytes { buffer in
      _ = unsafe sh_write_at(number, buffer.baseAddress, buffer.count, place ?? sh_place(number))
    }
    FileFaults.die()
  }
  #endif
}
