/// Which object a relationship keeps where it led to many and now leads to one.
package struct LinkChoice: Sendable, Hashable {
  /// Which one is kept.
  package enum Keep: Sendable, Hashable {
    /// The first in the relationship's order; without an order, the one with the lowest key.
    case first
    /// The last in the relationship's order; without an order, the one with the highest key.
    case last
    /// The one whose attribute is lowest, objects without a value last; without an attribute, the
    /// one with the lowest key. Of equal objects, the one with the lowest key.
    case lowest(String?)
    /// The same for the highest.
    case highest(String?)
  }

  /// The relationship, "Item.boxes".
  package var relationship: String
  /// Which one is kept.
  package var keep: Keep
  /// The line of the pipeline file.
  package var line: Int?

  /// A choice in all its parts.
  package init(_ relationship: String, keep: Keep, line: Int? = nil) {
    self.relationship = relationship
    self.keep = keep
    self.line = line
  }

  /// The attribute by which it chooses, when it does.
  var attribute: String? { keep.attribute }
}
