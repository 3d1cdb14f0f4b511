internal import Formats

/// The composites that an XML model defines, unfolded where attributes use them.
struct SourceComposites {
  /// Composites within composites within composites are no one's model.
  private static let deepest = 8
  /// A few composites can unfold into very many elements.
  private static let mostElements = 10_000

  private let byName: [String: XMLTree.Element]

  init(_ elements: [XMLTree.Element]) {
    byName = Dictionary(elements.map { ($0["name"] ?? "", $0) }) { first, _ in first }
  }

  /// The parts of a composite attribute.
  func elements(of attribute: XMLTree.Element) throws -> [Attribute] {
    var budget = Self.mostElements
    return try unfold(attribute, depth: 1, budget: &budget)
  }

  private func unfold(
    _ attribute: XMLTree.Element, depth: Int, budget: inout Int
  ) throws -> [Attribute] {
    let name = try attribute.needed("composite")
    guard let composite = byName[name] else {
      throw attribute.problem("Its composite \(name) is not in the model.")
    }
    guard depth <= Self.deepest else {
      throw attribute.problem("Its composite \(name) contains itself, or nests too deeply.")
    }
    return try composite.children("attribute").map { part in
      budget -= 1
      guard budget >= 0 else {
        throw attribute.problem("It unfolds into more than \(Self.mostElements) elements.")
      }
      var element = try SourceAttributeReader.plain(part)
      if element.type == .composite {
        element.elements = try unfold(part, depth: depth + 1, budget: &budget)
      }
      return element
    }
  }
}
