/// Something about a store that is strange and does not keep it from being used.
public struct StoreWarning: Hashable, Sendable, CustomStringConvertible {
  /// What it is about: an entity, a table, a file.
  public let subject: String
  /// What is strange.
  public let text: String

  /// A warning about something.
  package init(_ subject: String, _ text: String) {
    self.subject = subject
    self.text = text
  }

  /// Both, as a person reads it.
  public var description: String { "\(subject): \(text)" }
}
