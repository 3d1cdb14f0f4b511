extension StoreRecovery {
  /// What was removed of a store's backups, and what stays that was to go.
  public struct CleanSummary: Sendable, Hashable {
    /// The path of the store that the backups are of.
    public var store: String
    /// The backups that were removed, the oldest first.
    public var removed: [BackupFacts] = []
    /// Those that were to go and stay, each with the reason and what settles it.
    public var left: [Left] = []
    /// How many rejected objects were given up.
    public var givenUp = 0
  }
}

extension StoreRecovery.CleanSummary {
  /// A backup that was to go and stays.
  public struct Left: Sendable, Hashable {
    /// What is known of the backup that stays.
    public var backup: BackupFacts
    /// Why it stays, and what settles that.
    public var why: String
  }
}
