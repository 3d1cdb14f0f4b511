internal import CoreDataStore

/// What a retry of rejected objects has done.
public struct RetrySummary: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: String, Sendable, Hashable {
    /// No object waits.
    case nothing
    /// The store has more objects than before.
    case swapped
    /// None could be made, and the store is as it was.
    case failed
    /// With them the store would break rules of its model; it is as it was.
    case invalid
  }

  /// What happened to the objects of one entity.
  public struct Entity: Sendable, Hashable {
    /// The entity's name in the source.
    public var name: String
    /// How many were put into the store.
    public var made = 0
    /// How many of them the script left out of its own accord.
    public var skipped = 0
    /// How many failed again.
    public var failed = 0
  }

  /// An object that still waits, with the reason for which a script failed on it.
  public typealias Waiting = RunSummary.Rejected

  /// The path of the store.
  public var store: String
  /// How it ended.
  public var outcome: Outcome
  /// The run that put them in; nil when there was none.
  public var run: String?
  /// The run that had rejected them.
  public var earlier: String?
  /// The entities, by name.
  public var entities: [Entity] = []
  /// The objects that failed again, up to the limit.
  public var waiting: [Waiting] = []
  /// How many objects wait that were not tried: another run rejected them, or a script that several
  /// steps give the same entity.
  public var left = 0
  /// The first of these, up to the limit.
  public var leftObjects: [Waiting] = []
  /// The backups that have their values and links.
  public var leftIn: [String] = []
  /// The rules that would be broken, up to the limit.
  public var failures: [RunSummary.BrokenRule] = []
  /// Where the store is as it was before.
  public var backup: String?
  /// What needs a person's eye.
  public var warnings: [String] = []

  /// How many objects were put into the store.
  public var made: Int { entities.reduce(0) { $0 + $1.made } }
  /// How many failed again.
  public var failed: Int { entities.reduce(0) { $0 + $1.failed } }

  /// The exit status of a program that ends with this: 1 where objects wait and none was put in.
  public var status: Int32 {
    switch outcome {
    case .failed, .invalid: 1
    case .nothing: left > 0 ? 1 : 0
    case .swapped: 0
    }
  }
}
