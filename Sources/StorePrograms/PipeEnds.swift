internal import OperatingSystem
internal import ProcessHost

/// The two ends of a pipe.
package enum PipeEnds {
  /// A pipe that child processes do not inherit: where to read, and where to write.
  package static func make() -> (reading: Int32, writing: Int32)? {
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
