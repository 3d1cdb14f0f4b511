internal import CoreDataStore

/// What a run has done, reported when it is over.
public struct RunSummary: Sendable, Hashable {
  /// How a run ended that was not stopped by an error.
  public enum Outcome: Sendable, Hashable {
    /// The new store is in the place of the old one.
    case swapped
    /// The new store is at another place, and the old one as it was.
    case written(String)
    /// The new store waits in the work folder: the pipeline has no stage `swap`.
    case staged(String)
    /// The run stopped after the stage that the caller named, and can be resumed.
    case stopped(after: String)
    /// The run is on its way: a stage asks.
    case running
    /// The store had the target version already.
    case upToDate
    /// A dry run came to its end: the old store is as it was, and the new one gone unless kept.
    case dryRun(kept: String?)
    /// The new store breaks rules of the new model, and the old one is as it was.
    case invalid
  }

  /// What happened to the objects of one entity.
  public struct Entity: Sendable, Hashable {
    /// The entity's name in the source, or that of an entity which only the target has.
    public var name: String
    /// Its name in the target; nil when it is not there any more.
    public var target: String?
    /// How its objects travelled: "kept", "copied", "scripted", "added" or "dropped".
    public var how: String
    /// The objects that were there.
    public var objectsBefore = 0
    /// The objects of the whole store, where ``objectsBefore`` are a sample of them.
    public var objectsInAll: Int?
    /// Whether that is an estimate, because counting takes long.
    public var isEstimate = false
    /// The objects that are there now; of entities that became one, the first has them all.
    public var objectsAfter = 0
    /// The objects that were rejected.
    public var rejected = 0
  }

  /// A rule that an object of the new store breaks.
  public struct BrokenRule: Sendable, Hashable {
    /// The entity of the object that breaks the rule.
    public var entity: String
    /// The object's key, Z_PK.
    public var key: Int64
    /// The property whose value or links break it.
    public var property: String
    /// What the rule asks for, in a word such as "mandatory".
    public var rule: String
    /// Whether the source broke it already, with the same value.
    public var isInSource: Bool
    /// The value, when values were asked for.
    public var value: String?
    /// Where a script has made the object, as file:line.
    public var script: String?
    /// The object of the source from which it was made; nil where its key says it.
    public var origin: Origin?

    /// An object of the source, by its entity and its key there.
    public struct Origin: Sendable, Hashable {
      /// The entity of that object in the source's model.
      public var entity: String
      /// That object's key in the source, its Z_PK.
      public var key: Int64
    }

    /// What a script made it from, in words that follow the rule; empty where that is not known.
    package var maker: String {
      let origin = origin.map { " from \($0.entity) \($0.key)" } ?? ""
      return script.map { "; made\(origin) by \($0)" } ?? (origin.isEmpty ? "" : ";\(origin)")
    }
  }

  /// An object that a script has rejected.
  public struct Rejected: Sendable, Hashable {
    /// Its entity in the source.
    public var entity: String
    /// Its key in the source, Z_PK.
    public var key: Int64
    /// Why the script rejected it, or failed on it.
    public var reason: String
    /// The script's file.
    public var script: String
    /// The line of the script, 0 where none is known.
    public var line: Int
  }

  /// What would settle one kind of failure that was seen before anything was written.
  public struct Remedy: Sendable, Hashable {
    /// The objects' entity, in the source.
    public var entity: String
    /// The property, in the target.
    public var property: String
    /// The rule.
    public var rule: String
    /// With what Core Data would end the migration; nil where it would not.
    public var refusal: String?
    /// How many objects would break it.
    public var count: Int
    /// Lines of the pipeline file or of a script, each of which would settle it by itself.
    public var lines: [String]
  }

  /// The run's id.
  public var run: String
  /// The path of the store.
  public var store: String
  /// The version the store had.
  public var source: String
  /// The version it was to have.
  public var target: String
  /// How the run ended.
  public var outcome: Outcome
  /// The entities, by name.
  public var entities: [Entity] = []
  /// The objects that scripts rejected, the first of them.
  public var rejects: [Rejected] = []
  /// What needs a person's eye, in the order it was met.
  public var warnings: [String] = []
  /// The rules that objects break, up to the limit.
  public var failures: [BrokenRule] = []
  /// How many there are in all.
  public var failureCount = 0
  /// What would settle them; only where they were seen before anything was written.
  public var remedies: [Remedy] = []
  /// How many values of each property are lost, "Entity.property"; nil where they were not counted,
  /// because no report was asked for.
  public var lost: [String: Int]?
  /// The size of the new store, its external files included.
  public var bytes: Int64 = 0
  /// How long the run took.
  public var seconds: Double = 0
  /// The most memory the process held at a time.
  public var peakMemory: Int64 = 0
  /// Where the old store is, when a backup was made.
  public var backup: String?
  /// The digests of pipeline, scripts and models.
  public var digests: PlanDigests

  /// For each entity the one in whose line its objects are counted, where both became the same.
  var counters: [String?] {
    var firsts: [String: String] = [:]
    return entities.map { entity in
      guard let target = entity.target else { return nil }
      let first = firsts[target] ?? entity.name
      firsts[target] = first
      return first == entity.name ? nil : first
    }
  }

  /// The exit status of a program that ends with this run.
  public var status: Int32 { outcome == .invalid ? 1 : 0 }

  /// The objects of the source.
  public var rows: Int { entities.reduce(0) { $0 + $1.objectsBefore } }

  /// Objects a second, nil where the run was too short to measure.
  public var rowsPerSecond: Double? { seconds > 0 && rows > 0 ? Double(rows) / seconds : nil }
}
