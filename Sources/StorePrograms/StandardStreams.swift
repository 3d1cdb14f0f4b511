internal import OperatingSystem
internal import ProcessHost

/// The standard streams of a program, and the signals that have to do with them.
package enum StandardStreams {
  /// Opens what stands for those that are closed, before another file takes their place and is
  /// written into.
  package static func occupy() { ph_occupy_standard_streams() }

  /// Has a write to a pipe without a reader fail, instead of ending the program.
  package static func outliveReaders() { ph_outlive_readers() }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { ph_is_terminal(descriptor) }

  /// The columns of the terminal behind a descriptor, if it is one and knows.
  package static func columns(_ descriptor: Int32) -> Int? {
    let columns = Int(ph_columns(descriptor))
    return columns > 0 ? columns : nil
  }

  /// Has a signal write its number into a pipe, the first time it comes; the second ends the
  /// program.
  package static func forward(_ signal: Int32, to pipe: Int32) { ph_forward_signal(signal, pipe) }

  /// A pipe that child processes do not inherit: where to read, and where to write.
  package static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      unsafe ph_make_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    return result == 0 ? ends : nil
  }

  /// Reads one byte, waiting for it.
  package static func readByte(_ descriptor: Int32) -> UInt8? {
    while true {
      if let bytes = Streams.read(descriptor, waiting: -1) { return bytes.first }
    }
  }
}
