internal import Formats

/// The composites that an XML model defines, unfolded where attributes use them.
struct SourceComposites {
  /// No real model has composites within composites within composites.
  private static let deepest = 8
  /// Elements of all attributes together.
  private static let mostElements = 10_000

  private let byName: [String: XMLTree.Element]
  private let budget = UnfoldBudget(parts: mostElements)

  init(_ elements: [XMLTree.Element]) {
    byName = Dictionary(elements.map { ($0["name"] ?? "", $0) }) { first, _ in first }
  }

  /// The parts of a composite attribute.
  func elements(of attribute: XMLTree.Element) throws -> [Attribute] {
    try unfold(attribute, depth: 1)
  }

  private func unfold(_ attribute: XMLTree.Element, depth: Int) throws -> [Attribute] {
    let name = try attribute.needed("composite")
    guard let composite = byName[name] else {
      throw attribute.problem("Its composite \(name) is not in the model.")
    }
    guard depth <= Self.deepest else {
      throw attribute.problem("Its composite \(name) contains itself, or nests too deeply.")
    }
    return try composite.children("attribute").map { part in
      guard budget.spend() else {
        throw attribute.problem(
          "With it the model's composites unfold into more than \(Self.mostElements) elements.")
      }
      var element = try SourceAttributeReader.plain(part)
      if element.type == .composite {
        element.elements = try unfold(part, depth: depth + 1)
      }
      return element
    }
  }
}
