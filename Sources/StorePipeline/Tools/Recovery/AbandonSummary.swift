internal import CoreDataStore
internal import StoreReplacement

/// What happened to a run that was given up.
public struct AbandonSummary: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: String, Sendable, Hashable {
    /// There was no run.
    case none
    /// It was over already, and only left files.
    case over
    /// It is given up, and the store is as it was.
    case abandoned
    /// The new store was in place already, so that it was finished.
    case finished
  }

  /// The store's path.
  public var store: String
  /// The run's id; nil when it is not known.
  public var run: String?
  /// How it ended.
  public var outcome: Outcome
  /// What needs a person's eye.
  public var warnings: [String] = []
}

extension AbandonSummary.Outcome {
  init(_ outcome: RunAbandoning.Outcome) {
    self =
      switch outcome {
      case .none: .none
      case .over: .over
      case .abandoned: .abandoned
      case .finished: .finished
      }
  }
}
