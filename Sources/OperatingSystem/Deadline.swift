/// The end of a time that something may take: a lock, a program, a query.
///
/// The time does not pass while the machine sleeps. A lid that is closed over a hook, or over a
/// store that another process has locked, must not use up the time: neither side can do anything.
/// What a report gives as the duration of a run is the time that the user waited, sleep included:
/// that is `ContinuousClock`.
package struct Deadline: Sendable {
  private let end: SuspendingClock.Instant

  /// A time that starts now.
  package init(in time: Duration) { end = .now + time }

  /// Whether the time is used up.
  package var isOver: Bool { .now >= end }
}
