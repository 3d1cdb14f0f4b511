internal import ProcessHost

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
    switch unsafe ph_end_of(number, &value) {
    case PH_EXITED: return .status(value)
    case PH_KILLED: return .signal(value)
    default: return nil
    }
  }

  /// Sends it a signal and, where it leads a group of its own, those that it has started.
  package func send(_ signal: Int32) { ph_signal(number, signal) }
}
