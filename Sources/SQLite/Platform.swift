#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Which file a path leads to, whatever it is called.
package struct FileIdentity: Hashable, Codable, Sendable {
  /// The device the file lives on.
  package let device: UInt64
  /// Its number there.
  package let inode: UInt64

  /// An identity from its two parts.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// What `stat` says about a file, as far as this layer needs it.
struct FileStatus {
  let identity: FileIdentity
  let size: Int64
  let isRegular: Bool
  /// Nanoseconds since 1970.
  let modified: Int64
  let changed: Int64

  private init(_ status: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    #if canImport(Darwin)
    modified = Self.nanoseconds(status.st_mtimespec)
    changed = Self.nanoseconds(status.st_ctimespec)
    #else
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  /// The status of the thing at `path` itself, links not followed; nil when nothing is there.
  static func ofPath(_ path: String) throws(SystemFailure) -> Self? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw SystemFailure(call: "lstat", number: errno)
    }
    return Self(status)
  }

  /// The status of an open file.
  static func ofDescriptor(_ descriptor: Int32) throws(SystemFailure) -> Self {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw SystemFailure(call: "fstat", number: errno)
    }
    return Self(status)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// A call to the operating system that failed.
struct SystemFailure: Error {
  let call: String
  let number: Int32

  /// The system's words for the number.
  var message: String { unsafe "\(call): \(String(cString: strerror(number)))" }
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  var isPermission: Bool { number == EACCES || number == EPERM || number == EROFS }
  var isFull: Bool { number == ENOSPC || number == EDQUOT }
}

/// The path with every symbolic link resolved.
func realPath(_ path: String) throws(SystemFailure) -> String {
  guard let resolved = unsafe realpath(path, nil) else {
    throw SystemFailure(call: "realpath", number: errno)
  }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// Makes an empty file that must not be there yet.
func makeEmptyFile(_ path: String) throws(SystemFailure) {
  #if FAULTS
  switch FileFaults.verdict(on: "open", path) {
  case .go: break
  case .fail(let number): throw SystemFailure(call: "open", number: number)
  case .tear: FileFaults.die()
  }
  #endif
  let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw SystemFailure(call: "open", number: errno) }
  close(descriptor)
}

/// A file opened for reading beside SQLite, closed when it goes and SQLite has not got it.
struct RawFile: ~Copyable {
  private let descriptor: Int32
  let status: FileStatus

  /// Opens without following a link and without waiting for a FIFO's other end.
  init(_ path: String) throws(SystemFailure) {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(call: "open", number: errno) }
    do {
      status = try FileStatus.ofDescriptor(descriptor)
    } catch {
      Self.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { OpenFiles.close(descriptor) }

  /// Closes a descriptor, whatever locks go with it.
  static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #else
    _ = Glibc.close(descriptor)
    #endif
  }

  /// What the file is now.
  func now() throws(SystemFailure) -> FileStatus { try FileStatus.ofDescriptor(descriptor) }

  /// Up to `count` bytes from `offset`: fewer at the end of the file.
  func read(_ count: Int, at offset: Int64) throws(SystemFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: SystemFailure?
    let filled = unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemFailure) {
        return unsafe try fill(buffer, at: offset)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Fills the buffer from `offset`; gives back how much of it, less at the end of the file.
  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int {
    var filled = 0
    while filled < buffer.count {
      let step = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
        off_t(offset) + off_t(filled))
      if step < 0 && errno == EINTR { continue }
      guard step >= 0 else { throw SystemFailure(call: "pread", number: errno) }
      if step == 0 { break }
      filled += step
    }
    return filled
  }
}

/// The clock that files have their times from.
enum SystemClock {
  /// Nanoseconds since 1970.
  static var nanoseconds: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
