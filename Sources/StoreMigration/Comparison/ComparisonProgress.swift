/// How far a comparison has come.
package struct ComparisonProgress: Sendable, Hashable {
  /// The entity that is being compared.
  package var entity: String
  /// How many of its objects have been read.
  package var rows: Int
}
