/// What comparing a store with the backup of the run that made it has found.
public struct VerificationSummary: Sendable, Hashable {
  /// One place where the store is not what the backup makes of it.
  public struct Difference: Sendable, Hashable {
    /// The object's entity.
    public var entity: String
    /// The object's key, Z_PK.
    public var key: Int64
    /// The property; empty where the whole object is meant.
    public var property: String
    /// What is different, in words.
    public var rule: String
    /// Whether an application has made or saved the object after the run, which explains it.
    public var isSince: Bool
  }

  /// The path of the store.
  public var store: String
  /// The run that made the store what it is.
  public var run: String
  /// The folder of the backup that it was compared with.
  public var backup: String
  /// The version that the backup has.
  public var source: String
  /// The version that the store has.
  public var target: String
  /// How many objects were compared.
  public var objects = 0
  /// The differences, up to the limit.
  public var differences: [Difference] = []
  /// How many there are in all.
  public var count = 0
  /// How many of them are of objects that were made or saved after the run.
  public var since = 0
  /// Whether no process has written to the store since the run.
  public var isUntouched: Bool
  /// Whether everything was compared that the run has made; a warning says what was not.
  public var isComplete = true
  /// What needs a person's eye.
  public var warnings: [String] = []

  /// Whether the store is known to be what the run makes of its backup.
  public var isSame: Bool { count == 0 && isComplete }
}
