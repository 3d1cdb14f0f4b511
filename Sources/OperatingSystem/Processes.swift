internal import SystemHost

/// What the system lets this process have.
package enum ProcessLimits {
  /// The most memory that this process has held at a time, in bytes.
  package static var peakMemory: Int64 { sh_peak_memory() }

  /// Whether so many files more can be open at a time, of 64 at most.
  package static func canOpen(_ count: Int) -> Bool { sh_can_open(Int32(clamping: count)) }

  /// Whether so many bytes more can be mapped; none of them is touched.
  package static func canMap(_ count: Int) -> Bool { sh_can_map(count) }

  /// Has all threads take memory from one heap, so that what one gives back another can use.
  package static func shareHeap() { sh_share_heap() }
}

/// A process that this one has started.
package struct ChildProcess: Sendable {
  /// How a process ends.
  package enum End: Hashable, Sendable {
    /// By itself.
    case status(Int32)
    /// By a signal.
    case signal(Int32)
  }

  private let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// How it has ended, which others can still ask after; nil while it runs, or when it was asked
  /// for to the last.
  package var end: End? {
    var value: Int32 = 0
    switch unsafe sh_end_of(number, &value) {
    case SH_EXITED: return .status(value)
    case SH_KILLED: return .signal(value)
    default: return nil
    }
  }

  /// Sends it a signal and, where it leads a group of its own, those that it has started.
  package func send(_ signal: Int32) { sh_signal(number, signal) }
}

package enum PipeEnds {
  /// A pipe that child processes do not inherit: where to read, and where to write.
  package static func make() -> (reading: Int32, writing: Int32)? {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      unsafe sh_make_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    return result == 0 ? ends : nil
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

  /// Reads one byte, waiting for it.
  package static func readByte(_ descriptor: Int32) -> UInt8? {
    while true {
      if let bytes = read(descriptor, waiting: -1) { return bytes.first }
    }
  }
}
