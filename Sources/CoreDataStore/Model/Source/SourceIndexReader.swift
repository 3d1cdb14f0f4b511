internal import Formats

/// Reads one `<fetchIndex>` of a model's XML.
enum SourceIndexReader {
  /// The index with its elements and its predicate.
  static func read(_ element: XMLTree.Element) throws -> FetchIndex {
    FetchIndex(
      name: try element.needed("name"),
      elements: try element.children("fetchIndexElement").map(part),
      predicate: element.filled("partialIndexPredicate").map(PredicateParser.predicate))
  }

  private static func part(_ element: XMLTree.Element) throws -> FetchIndexElement {
    FetchIndexElement(
      subject: try subject(element), kind: element["type"] == "RTree" ? .rTree : .binary,
      isAscending: element["order"] != "descending")
  }

  private static func subject(_ element: XMLTree.Element) throws -> FetchIndexElement.Subject {
    if let name = element.filled("property") { return .property(name) }
    guard let text = element.filled("expression") else {
      throw element.problem("It names neither a property nor an expression.")
    }
    return .expression(PredicateParser.expression(text))
  }
}
