internal import SystemHost

/// Waiting for others.
package enum Pause {
  /// Ten milliseconds.
  package static func short() { sh_sleep(10) }

  /// Five to forty milliseconds.
  package static func uneven() { sh_sleep(.random(in: 5...40)) }
}

/// The clock that files have their times from.
package enum SystemClock {
  /// Nanoseconds since 1970.
  package static var nanoseconds: Int64 { sh_now() }
}
