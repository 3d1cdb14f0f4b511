/// Something of a predicted schema that the model alone does not settle.
package struct SchemaDoubt: Hashable, Sendable, CustomStringConvertible {
  /// What it is about: an index, a derived attribute, a table of pairs.
  package let subject: String
  /// What is not known.
  package let why: String
  /// What was done instead, and what that means.
  package let consequence: String

  /// All of it, as a person reads it.
  package var description: String { "\(subject): \(why) \(consequence)" }
}
