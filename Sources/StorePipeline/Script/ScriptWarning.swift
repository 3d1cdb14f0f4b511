/// What a script wants the user to know.
public struct ScriptWarning: Sendable, Hashable {
  /// The script's words.
  public let message: String
  /// The line that says them.
  public let line: Int
  /// The object that it was given, "Item Z_PK 7"; nil outside of one.
  public let object: String?
  /// Whether `print` said it, which is a note to the author and no warning.
  package var isPrinted = false
}

/// The warnings of a script, the first of them with their words.
struct ScriptWarnings: Sendable, Hashable {
  private(set) var kept: [ScriptWarning] = []
  /// How many there were.
  private(set) var count = 0

  /// Warnings beyond these are counted, neither kept nor shown.
  static let most = 100

  /// Adds one.
  mutating func add(_ warning: ScriptWarning) {
    count += 1
    if kept.count < Self.most { kept.append(warning) }
  }

  /// Adds others that came after these.
  mutating func add(_ others: ScriptWarnings) {
    count += others.count
    kept += others.kept.prefix(Self.most - kept.count)
  }
}
