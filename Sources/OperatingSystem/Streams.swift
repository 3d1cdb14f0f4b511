internal import SystemHost

/// The standard streams of a program, and the signals that have to do with them.
package enum StandardStreams {
  /// Opens what stands for those that are closed, before another file takes their place and is
  /// written into.
  package static func occupy() { sh_occupy_standard_streams() }

  /// Has a write to a pipe without a reader fail, instead of ending the program.
  package static func outliveReaders() { sh_outlive_readers() }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { sh_is_terminal(descriptor) }

  /// The columns of the terminal behind a descriptor, if it is one and knows.
  package static func columns(_ descriptor: Int32) -> Int? {
    let columns = Int(sh_columns(descriptor))
    return columns > 0 ? columns : nil
  }

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

  /// Has a signal write its number into a pipe, the first time it comes; the second ends the
  /// program.
  package static func forward(_ signal: Int32, to pipe: Int32) { sh_forward_signal(signal, pipe) }
}
