#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

internal import Foundation
internal import SQLite

/// A call to the operating system that failed.
struct SystemError: Error {
  let call: String
  let number: Int32

  init(_ call: String, _ number: Int32 = errno) {
    self.call = call
    self.number = number
  }

  /// The system's words for the number.
  var message: String { unsafe "\(call): \(String(cString: strerror(number)))" }
  /// What was opened is no regular file.
  static var notRegular: SystemError { SystemError("open", EINVAL) }
  /// Nothing is at the path.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  /// Nothing is at the path, or something that is no regular file: `ELOOP` for a link that
  /// `O_NOFOLLOW` does not follow, `ENXIO` for a socket (open(2)), `EINVAL` for what `fstat` tells.
  var isNoFile: Bool { isMissing || [ELOOP, EINVAL, ENXIO, EOPNOTSUPP].contains(number) }
  /// What is at the path in place of a file or folder of ours, if that is why: nothing follows a
  /// link, opens a pipe or writes over a folder.
  var obstacle: String? {
    switch (call, number) {
    case (_, ELOOP): "a symbolic link"
    case (_, EISDIR): "a folder"
    case (_, EEXIST), ("open", EINVAL), ("open", ENXIO): "something that is no file of ours"
    default: nil
    }
  }
  /// The disk has no room, or the user may not have more of it.
  var isFull: Bool { number == ENOSPC || number == EDQUOT }
}

extension SystemError {
  /// Stands before each call that changes a file: test builds count it, and may end it here.
  @inline(__always)
  static func gate(_ call: String, _ path: @autoclosure () -> String) throws(SystemError) {
    #if FAULTS
    switch FileFaults.verdict(on: call, path()) {
    case .go: break
    case .fail(let number): throw SystemError(call, number)
    case .tear: FileFaults.die()
    }
    #endif
  }
}

/// What a name in the file system stands for, links not followed.
struct FileEntry: Equatable {
  let identity: FileIdentity
  let size: Int64
  let isRegular: Bool
  let isFolder: Bool
  /// Whether it is this user's.
  let isOwn: Bool
  /// Whether only its owner, or the system, can give what is in this folder other names.
  let keepsNames: Bool
  let isLink: Bool
  /// How many names the file has.
  let links: Int
  /// When the content and when anything about it changed last, in nanoseconds since 1970.
  let modified: Int64
  let changed: Int64

  private init(_ status: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isOwn = status.st_uid == geteuid()
    // "A file in a directory with the sticky bit may be renamed or removed only by its owner, the
    // directory's owner, or root" (chmod(2)).
    let isClosed = status.st_mode & 0o022 == 0 || status.st_mode & 0o1000 != 0
    keepsNames = isClosed && (isOwn || status.st_uid == 0)
    isLink = status.st_mode & S_IFMT == S_IFLNK
    links = Int(status.st_nlink)
    #if canImport(Darwin)
    modified = Self.nanoseconds(status.st_mtimespec)
    changed = Self.nanoseconds(status.st_ctimespec)
    #else
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  /// What is at the path; nil when nothing is.
  static func at(_ path: String) throws(SystemError) -> Self? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      let error = SystemError("lstat")
      if error.isMissing { return nil }
      throw error
    }
    return Self(status)
  }

  /// What a descriptor is open on.
  static func of(_ descriptor: borrowing OpenDescriptor) throws(SystemError) -> Self {
    var status = stat()
    guard unsafe fstat(descriptor.number, &status) == 0 else { throw SystemError("fstat") }
    return Self(status)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// An open file or folder, closed when it goes; the file of a connection when that has gone, too.
struct OpenDescriptor: ~Copyable {
  let number: Int32
  /// What it was opened as.
  let path: String

  private init(_ number: Int32, _ call: String, _ path: String) throws(SystemError) {
    guard number >= 0 else { throw SystemError(call) }
    self.number = number
    self.path = path
  }

  /// Opens for reading, without following a link or waiting for a FIFO's other end.
  init(reading path: String) throws(SystemError) {
    try self.init(unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), "open", path)
  }

  /// Opens for reading what the user names: links are followed, and a pipe's other end is waited
  /// for.
  init(following path: String) throws(SystemError) {
    try self.init(unsafe open(path, O_RDONLY | O_CLOEXEC), "open", path)
  }

  /// Opens a file of a folder in the same way.
  init(reading name: String, in folder: borrowing OpenDescriptor) throws(SystemError) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    try self.init(unsafe openat(folder.number, name, flags), "openat", name)
  }

  /// Opens a folder that is no link.
  init(folder path: String) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    try self.init(unsafe open(path, flags), "open", path)
  }

  /// Makes a file that must not be there yet, for its owner alone.
  init(creating path: String) throws(SystemError) {
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
    try SystemError.gate("open", path)
    try self.init(unsafe open(path, flags, 0o600), "open", path)
  }

  /// Makes a file that must not be there yet, for its owner alone, to be written and read again.
  init(creatingToRead path: String) throws(SystemError) {
    let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC
    try SystemError.gate("open", path)
    try self.init(unsafe open(path, flags, 0o600), "open", path)
  }

  /// Opens a file to be locked, made when it is not there.
  init(locking path: String) throws(SystemError) {
    let flags = O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    try SystemError.gate("open", path)
    try self.init(unsafe open(path, flags, 0o600), "open", path)
  }

  #if !canImport(Darwin)
  /// Makes a file without a name in a folder; it is gone when the descriptor is.
  ///
  /// "Create an unnamed temporary regular file" (open(2)); O_TMPFILE is a macro that is not
  /// imported.
  init(unnamedIn folder: String) throws(SystemError) {
    let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC
    try self.init(unsafe open(folder, flags, 0o600), "open", folder)
  }
  #endif

  deinit { OpenFiles.close(number) }

  /// Takes the file's one lock without waiting; false when another descriptor has it.
  ///
  /// It goes with the descriptor, whatever ends the process (flock(2)).
  func lock() throws(SystemError) -> Bool {
    if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemError("flock")
  }

  /// Gives the lock back at once, for all who have the descriptor.
  ///
  /// A process that is being started holds copies of it until it runs its program: closing this one
  /// leaves the lock with them, LOCK_UN "on any of these duplicate file descriptors" does not
  /// (flock(2)).
  func unlock() { _ = flock(number, LOCK_UN) }

  /// Makes sure that what was written outlives a power cut.
  ///
  /// On macOS "fsync does not ask the drive to flush its buffers"; F_FULLFSYNC does (fsync(2)), and
  /// fails where the file system has no such thing.
  func sync() throws(SystemError) {
    try SystemError.gate("fsync", path)
    #if canImport(Darwin)
    if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(number) == 0 else { throw SystemError("fsync") }
  }
}

/// Questions to the file system about paths.
enum FileSystem {
  /// The path with every symbolic link resolved.
  static func realPath(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw SystemError("realpath") }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Whether files may be made in a folder.
  static func isWritable(_ folder: String) -> Bool { unsafe access(folder, W_OK) == 0 }

  /// Hands over the name of everything in a folder, one at a time.
  static func forEachName(in folder: String, _ body: (String) throws -> Void) throws {
    guard let stream = unsafe opendir(folder) else { throw SystemError("opendir") }
    defer { unsafe closedir(stream) }
    while true {
      // "To distinguish end of stream from an error, set errno to zero before" (POSIX, readdir).
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw SystemError("readdir") }
        return
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe String(cString: UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { try body(name) }
    }
  }

  /// The bytes of a regular file of a folder, as many as a store's value may have.
  static func content(
    of name: String, in folder: borrowing OpenDescriptor, most: Int64 = 1_000_000_000
  ) throws(SystemError) -> [UInt8] {
    let file = try OpenDescriptor(reading: name, in: folder)
    let entry = try FileEntry.of(file)
    guard entry.isRegular else { throw SystemError("open", EINVAL) }
    guard entry.size <= most else { throw SystemError("read", EFBIG) }
    var bytes = [UInt8](repeating: 0, count: Int(entry.size))
    var length = 0
    while length < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          file.number, buffer.baseAddress?.advanced(by: length), buffer.count - length,
          off_t(length))
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("pread") }
      guard count > 0 else { throw SystemError("pread", EIO) }
      length += count
    }
    return bytes
  }

  /// Copies a regular file to a new one: sharing its blocks where the file system can.
  static func clone(_ source: String, to target: String) throws(SystemError) {
    try clone(OpenDescriptor(reading: source), to: target)
  }

  /// The same, from a file that is open and stays so.
  static func clone(
    _ from: borrowing OpenDescriptor, to target: String
  ) throws(SystemError) {
    guard try FileEntry.of(from).isRegular else { throw SystemError("open", EINVAL) }
    #if canImport(Darwin)
    try SystemError.gate("fclonefileat", target)
    if unsafe fclonefileat(from.number, AT_FDCWD, target, 0) == 0 { return }
    let to = try OpenDescriptor(creating: target)
    #else
    // FICLONE, _IOW(0x94, 9, int) of linux/fs.h, a macro that is not imported.
    let to = try OpenDescriptor(creating: target)
    try SystemError.gate("ioctl", target)
    if ioctl(to.number, 0x4004_9409, from.number) == 0 { return }
    #endif
    try copyBytes(from, to)
  }

  private static func copyBytes(
    _ from: borrowing OpenDescriptor, _ to: borrowing OpenDescriptor
  ) throws(SystemError) {
    var offset: Int64 = 0
    while true {
      let bytes = try read(piece, at: offset, of: from)
      if bytes.isEmpty { return }
      try write(bytes[...], to)
      offset += Int64(bytes.count)
    }
  }

  /// How much of a file that is read to its end is held at a time: what a processor has in its own
  /// cache when it is written or hashed next.
  static let piece = 1 << 18

  /// Up to so many bytes from a place in a file; none at its end.
  static func read(
    _ count: Int, at offset: Int64, of file: borrowing OpenDescriptor
  ) throws(SystemError) -> [UInt8] {
    let number = file.number
    var length = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat {
        length = unsafe pread(number, buffer.baseAddress, count, off_t(offset))
      } while length < 0 && errno == EINTR
      filled = max(0, length)
    }
    guard length >= 0 else { throw SystemError("pread") }
    return bytes
  }

  /// Appends bytes to a file.
  static func write(
    _ bytes: ArraySlice<UInt8>, _ to: borrowing OpenDescriptor
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      #if FAULTS
      switch FileFaults.verdict(on: "write", to.path) {
      case .go: break
      case .fail(let number): throw SystemError("write", number)
      case .tear: tear(rest, to)
      }
      #endif
      let count = unsafe rest.withUnsafeBytes { buffer in
        #if canImport(Darwin)
        unsafe Darwin.write(to.number, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        unsafe Musl.write(to.number, buffer.baseAddress, buffer.count)
        #else
        unsafe Glibc.write(to.number, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write") }
      rest = rest.dropFirst(count)
    }
  }

  #if FAULTS
  private static func tear(_ bytes: ArraySlice<UInt8>, _ to: borrowing OpenDescriptor) {
    unsafe bytes.prefix(bytes.count / 2).withUnsafeBytes { buffer in
      _ = unsafe pwrite(to.number, buffer.baseAddress, buffer.count, lseek(to.number, 0, SEEK_CUR))
    }
    FileFaults.die()
  }
  #endif
}

/// What the replacing of a store needs beside that.
extension FileSystem {
  /// Makes a folder for its owner alone, unless there is one.
  static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws(SystemError) {
    try SystemError.gate("mkdir", path)
    if unsafe mkdir(path, mode_t(mode)) == 0 { return }
    let error = SystemError("mkdir")
    guard error.number == EEXIST else { throw error }
    guard try isFolder(path) else { throw SystemError("mkdir", ENOENT) }
  }

  /// Whether a folder is there; anything else that is there, a link to one too, is an error.
  static func isFolder(_ path: String) throws(SystemError) -> Bool {
    guard let entry = try FileEntry.at(path) else { return false }
    guard entry.isFolder else { throw SystemError("opendir", entry.isLink ? ELOOP : EEXIST) }
    return true
  }

  /// Whether a file's content may be changed.
  static func mayWrite(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// How many bytes the user may still write where the path is.
  static func freeBytes(at path: String) throws(SystemError) -> Int64 {
    #if FAULTS
    if FileFaults.countsOnSpace { return .max }
    #endif
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { throw SystemError("statvfs") }
    let size = UInt64(status.f_frsize)
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: size).partialValue)
  }

  /// Whether a copy that goes from one folder to another shares its blocks with the original.
  ///
  /// It is tried with files that have no names. The store's own file must not be opened for it: "if
  /// a process closes any file descriptor referring to a file, then all of the process's locks on
  /// that file are released" (fcntl(2)).
  static func sharesBlocks(_ one: String, _ other: String) -> Bool {
    #if canImport(Darwin)
    let key = URLResourceKey.volumeSupportsFileCloningKey
    let values = try? URL(filePath: one).resourceValues(forKeys: [key])
    let devices = try? (FileEntry.at(one)?.identity.device, FileEntry.at(other)?.identity.device)
    return values?.volumeSupportsFileCloning == true && devices?.0 == devices?.1
    #else
    guard let from = try? OpenDescriptor(unnamedIn: one),
      let to = try? OpenDescriptor(unnamedIn: other),
      (try? write([UInt8](repeating: 0, count: 4096)[...], from)) != nil
    else { return false }
    return ioctl(to.number, 0x4004_9409, from.number) == 0
    #endif
  }

  /// Whether the path is on a file system of another machine, where locks cannot be relied on.
  static func isRemote(_ path: String) throws(SystemError) -> Bool {
    #if canImport(Darwin)
    var status = statfs()
    guard unsafe statfs(path, &status) == 0 else { throw SystemError("statfs") }
    return status.f_flags & UInt32(MNT_LOCAL) == 0
    #else
    guard let device = try FileEntry.at(path)?.identity.device else { return false }
    let lines = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    return remoteKinds.contains(kind(ofDevice: device, in: lines ?? ""))
    #endif
  }

  /// Gives one file the permissions, the owner and the extended attributes of another.
  ///
  /// Only root may give files away, and not every file system has such attributes: what cannot be
  /// taken over is left as it is.
  static func copyAttributes(from source: String, to target: String) throws(SystemError) {
    try copyAttributes(of: OpenDescriptor(reading: source), at: source, to: target)
  }

  /// The same, from a file that is open and stays so.
  static func copyAttributes(
    of from: borrowing OpenDescriptor, at source: String, to target: String
  ) throws(SystemError) {
    let to = try OpenDescriptor(reading: target)
    try SystemError.gate("setxattr", target)
    #if canImport(Darwin)
    let parts = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)
    _ = unsafe fcopyfile(from.number, to.number, nil, parts)
    #else
    let key = FileAttributeKey("NSFileExtendedAttributes")
    if let values = try? FileManager.default.attributesOfItem(atPath: source)[key] {
      try? FileManager.default.setAttributes([key: values], ofItemAtPath: target)
    }
    #endif
    var status = stat()
    guard unsafe fstat(from.number, &status) == 0 else { throw SystemError("fstat") }
    // The owner first: "when the owner of an executable file is changed ... the S_ISUID and
    // S_ISGID mode bits are cleared" (chown(2)).
    try SystemError.gate("fchown", target)
    _ = fchown(to.number, status.st_uid, status.st_gid)
    try SystemError.gate("fchmod", target)
    guard fchmod(to.number, status.st_mode & 0o7777) == 0 else { throw SystemError("fchmod") }
  }
}

// Who else has a file.
extension OpenDescriptor {
  /// Whether another descriptor is open on the file, this process's own included; false where the
  /// system does not tell.
  ///
  /// "A write lease may be placed on a file only if there are no other open file descriptors for
  /// the file" (fcntl(2), F_SETLEASE). It is given back at once; who opens the file then waits,
  /// and the signal that tells of it is set to one that is ignored unless a program handles it.
  borrowing func isOpenElsewhere() -> Bool {
    #if os(Linux)
    // F_SETSIG and F_SETLEASE of linux/fcntl.h, which are not imported.
    _ = fcntl(number, 10, SIGURG)
    guard fcntl(number, 1024, Int32(F_WRLCK)) == 0 else { return errno == EAGAIN }
    _ = fcntl(number, 1024, Int32(F_UNLCK))
    #endif
    return false
  }
}

/// Waiting for others.
enum Pause {
  /// Ten milliseconds.
  static func short() { usleep(10_000) }

  /// Five to forty milliseconds.
  static func uneven() { usleep(.random(in: 5_000...40_000)) }
}
