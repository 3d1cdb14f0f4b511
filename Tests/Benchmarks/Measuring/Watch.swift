/// What a command held at most, as a run showed that was watched and not timed.
struct Watch {
  /// The bytes of the store that the command migrated.
  var size: Int
  /// The bytes of memory that it may hold in any case.
  var allowance = 0
  /// What the meter saw.
  var measurement: Measurement

  /// Its own memory beyond the allowance, in MiB; nil where the system does not say.
  var own: Double? {
    guard let own = measurement.own, own > 0 else { return nil }
    return Double(own - allowance) / 1_048_576
  }

  /// The disk that it took in addition, over the bytes of the store.
  var extra: Double? { measurement.extra.map { Double($0) / Double(size) } }
}
