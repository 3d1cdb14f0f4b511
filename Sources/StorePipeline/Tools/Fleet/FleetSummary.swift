/// What happened to many stores.
package struct FleetSummary: Sendable {
  /// What happened to one store.
  package enum Outcome: Sendable {
    /// Its run came to an end of its own, be it that the answer is no.
    case ran(RunSummary)
    /// The new store was written before, from the store as it is, by the same pipeline.
    case writtenBefore
    /// It could not be done; the old store is in place.
    case failed(any Error)
    /// It was stopped because the whole was, and can be resumed.
    case stopped
    /// Its turn did not come.
    case notBegun
  }

  /// One store, and what happened to it.
  package struct Entry: Sendable {
    package var store: FleetStore
    /// What happened to it.
    package var outcome: Outcome
    /// How long that took.
    package var seconds: Double = 0

    package init(_ store: FleetStore, _ outcome: Outcome) {
      self.store = store
      self.outcome = outcome
    }

    /// The status that a run of this store alone would have ended with; nil when it was not
    /// finished.
    package var status: Int32? {
      switch outcome {
      case .ran(let summary): summary.status
      case .writtenBefore: 0
      case .failed(let error): RunStatus.of(error)
      case .stopped, .notBegun: nil
      }
    }

    /// Whether the user has to look at it.
    package var isFailure: Bool { status.map { $0 != 0 } ?? false }
  }

  /// The stores, in the order in which they were given.
  package var entries: [Entry]
  /// How long all of it took.
  package var seconds: Double

  /// What happened to stores, in their order.
  package init(entries: [Entry], seconds: Double) {
    self.entries = entries
    self.seconds = seconds
  }

  /// The exit status of a program that ends with these runs: 0 when every store is done; when some
  /// failed, the status that they have in common, or 1 when they have none; else 130, because some
  /// were not finished.
  package var status: Int32 {
    let failures = Set(entries.filter(\.isFailure).compactMap(\.status))
    if let only = failures.first { return failures.count == 1 ? only : 1 }
    return entries.allSatisfy { $0.status == 0 } ? 0 : 130
  }
}
