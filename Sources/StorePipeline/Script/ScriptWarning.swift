/// What a script wants somebody to know.
public struct ScriptWarning: Sendable, Hashable {
  /// The script's words.
  public let message: String
  /// The line that says them.
  public let line: Int
  /// The object that it was given, "Item Z_PK 7"; nil outside of one.
  public let object: String?
}
