internal import SystemHost

/// What the system lets this process have.
package enum ProcessLimits {
  /// The most memory that this process has held at a time, in bytes.
  package static var peakMemory: Int64 { sh_peak_memory() }

  /// Whether so many files more can be open at a time, of 64 at most.
  package static func canOpen(_ count: Int) -> Bool { sh_can_open(Int32(clamping: count)) }

  /// Whether so many bytes more can be mapped; none of them is touched.
  package static func canMap(_ count: Int) -> Bool { sh_can_map(count) }

  /// Has threads take memory from so many heaps at most; to be called before there is a second one.
  ///
  /// What one thread gives back another can use in the same heap alone; in different ones they do
  /// not wait for each other.
  package static func limitHeaps(to count: Int) { sh_limit_heaps(Int32(clamping: count)) }
}
