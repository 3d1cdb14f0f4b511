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
