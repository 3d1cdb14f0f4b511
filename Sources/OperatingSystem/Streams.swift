internal import SystemHost

/// Streams that are known by the number of their descriptor alone: pipes, terminals.
package enum Streams {
  /// Writes all of a text.
  package static func send(_ text: String, to descriptor: Int32) throws(SystemError) {
    var text = text
    var sent = 0
    let failure: Int32? = text.withUTF8 { bytes in
      while sent < bytes.count, let start = bytes.baseAddress {
        let count = unsafe sh_write(descriptor, start + sent, bytes.count - sent)
        if count < 0 { return Int32(truncatingIfNeeded: -count) }
        sent += Int(count)
      }
      return nil
    }
    if let failure { throw SystemError("write", failure) }
  }

  /// Opens a file to append to, which is made if it is not there.
  ///
  /// It does not wait for who reads a FIFO; writing then waits as ever.
  package static func openToAppend(_ path: String) throws(SystemError) -> Int32 {
    try SystemError.check("open", unsafe sh_open(path, SH_APPEND))
  }

  /// The number of the standard stream that a path leads to, such as /dev/stdout; nil for others.
  ///
  /// A file that is opened a second time has a second position: what is written at the one goes
  /// over what was written at the other. A socket cannot be opened by such a path at all.
  package static func standard(at path: String) -> Int32? {
    let streams: [(path: String, number: Int32)] = [("/dev/stdout", 1), ("/dev/stderr", 2)]
    if let named = streams.first(where: { $0.path == path }) { return named.number }
    guard let file = FileSystem.entry(following: path)?.identity else { return nil }
    return streams.first { (try? FileEntry.of(descriptor: $0.number))?.identity == file }?.number
  }

  /// What can be read within a time: nil when nothing came, nothing at its end.
  package static func read(_ descriptor: Int32, waiting milliseconds: Int32) -> [UInt8]? {
    var length: Int64 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      length = unsafe sh_read_waiting(
        descriptor, buffer.baseAddress, buffer.count, milliseconds)
      count = Int(max(0, length))
    }
    return length < 0 ? nil : bytes
  }
}
