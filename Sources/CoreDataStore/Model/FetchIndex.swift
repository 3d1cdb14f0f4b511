/// An index that a model asks for.
public struct FetchIndex: Hashable, Sendable {
  /// The name, unique within the entity.
  public var name: String
  /// What is indexed, in order.
  public var elements: [FetchIndexElement]
  /// Which objects are indexed, when not all are.
  package var predicate: ModelPredicate?

  /// An index with all its parts.
  package init(name: String, elements: [FetchIndexElement], predicate: ModelPredicate? = nil) {
    self.name = name
    self.elements = elements
    self.predicate = predicate
  }

  /// Whether it is a spatial index, an r-tree.
  public var isRTree: Bool { elements.contains { $0.kind == .rTree } }
}

extension FetchIndex: CustomStringConvertible {
  /// The index in words.
  public var description: String {
    let parts = elements.map(\.description).joined(separator: ", ")
    return "\(name) (\(parts))" + (predicate.map { " where \($0)" } ?? "")
  }
}
