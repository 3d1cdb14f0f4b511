internal import CoreDataStore
internal import StoreReplacement

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
    package let store: FleetStore
    /// How long that took.
    package var seconds: Double = 0
    private var content: Content

    private enum Content: Sendable {
      case plain(Outcome.Plain)
      case here(Here)
      case onDisk(DiskList, at: Int64, count: Int32, status: Int32?)
    }

    /// An outcome that takes much room, behind a reference: those of all stores are an array.
    private final class Here: Sendable {
      let outcome: Outcome

      init(_ outcome: Outcome) { self.outcome = outcome }
    }

    /// What happened to a store.
    package init(_ store: FleetStore, _ outcome: Outcome) {
      self.store = store
      content = outcome.plain.map(Content.plain) ?? .here(Here(outcome))
    }

    /// What happened to it; of what is on the disk, as much as is reported.
    package var outcome: Outcome {
      switch content {
      case .plain(let plain): plain.outcome
      case .here(let here): here.outcome
      case .onDisk(let list, let place, let count, _):
        (try? list.read(Int(count), at: place)).flatMap(Outcome.init(record:)) ?? .failed(lost)
      }
    }

    private var lost: Failure {
      Failure(
        .refused, what: "cannot report what happened to the store", subject: store.path,
        why: "The file in which that was kept meanwhile cannot be read any more.",
        remedy: "Give the same command again: it says which stores are done.")
    }

    /// Takes over what happened to the store, and keeps it on the disk where that can be done.
    mutating func keep(_ entry: Entry, in list: DiskList) {
      (seconds, content) = (entry.seconds, entry.content)
      guard case .here(let here) = content else { return }
      let (bytes, place) = (here.outcome.record, list.count)
      guard let count = Int32(exactly: bytes.count), (try? list.append(bytes)) != nil else {
        return
      }
      content = .onDisk(list, at: place, count: count, status: status)
    }

    /// The status that a run of this store alone would have ended with; nil when it was not
    /// finished.
    package var status: Int32? {
      if case .onDisk(_, _, _, let status) = content { return status }
      return switch outcome {
      case .ran(let summary): summary.status
      case .writtenBefore: 0
      case .failed(let error): Outcome.status(of: error)
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
  /// failed, 4 or 5 where one of them is worth another try, else the status that they have in
  /// common, or 1 when they have none; else 130, because some were not finished.
  package var status: Int32 {
    let failures = Set(entries.filter(\.isFailure).compactMap(\.status))
    // An engine must not leave a store that was busy because another one is damaged.
    if let worthATry = [4, 5].first(where: failures.contains) { return worthATry }
    if let only = failures.first { return failures.count == 1 ? only : 1 }
    return entries.allSatisfy { $0.status == 0 } ? 0 : 130
  }
}
