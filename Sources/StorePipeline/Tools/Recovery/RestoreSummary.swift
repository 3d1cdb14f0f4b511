/// What putting a backup back has done.
public struct RestoreSummary: Sendable, Hashable {
  /// The store's path.
  public var store: String
  /// The backup that was put back.
  public var backup: BackupFacts
  /// The folder of the backup of what was there before; nil when nothing was.
  public var replaced: String?
  /// What went wrong after the exchange, a sentence each.
  public var warnings: [String]
  /// Whether the store was as the backup has it already, so that nothing was replaced.
  public var isUnchanged = false
}
