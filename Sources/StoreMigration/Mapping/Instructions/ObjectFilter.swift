/// Which objects of an entity are carried over.
package struct ObjectFilter: Sendable, Hashable {
  /// The entity's name in the source; those that inherit from it are meant, too.
  package var entity: String
  /// The condition over the names of the source's properties, "savedAt IS NOT NULL".
  package var condition: String
  /// The line of the pipeline file.
  package var line: Int?

  /// A filter in all its parts.
  package init(entity: String, condition: String, line: Int? = nil) {
    self.entity = entity
    self.condition = condition
    self.line = line
  }

  /// Whether the condition speaks of a property.
  func mentions(_ property: String) -> Bool {
    condition.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == property }
  }
}
