/// Something of a predicted schema that the model alone does not settle.
public struct SchemaDoubt: Hashable, Sendable, CustomStringConvertible {
  /// What it is about: an index, a derived attribute, a table of pairs.
  public let subject: String
  /// What is not known.
  public let why: String
  /// What was done instead, and what that means.
  public let consequence: String

  /// All of it, as a person reads it.
  public var description: String { "\(subject): \(why) \(consequence)" }
}
