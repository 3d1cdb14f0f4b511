/// Reads a fetch index of a compiled model.
enum CompiledIndexReader {
  /// The index; nil when it has no name.
  static func read(_ object: CompiledObject) -> FetchIndex? {
    guard let name = object["NSIndexName"]?.string else { return nil }
    return FetchIndex(
      name: name, elements: (object["NSIndexElements"]?.elements ?? []).compactMap(element),
      predicate: object["NSPartialIndexPredicate"].map(PredicateArchive.predicate))
  }

  private static func element(_ object: CompiledObject) -> FetchIndexElement? {
    guard let subject = subject(object) else { return nil }
    return FetchIndexElement(
      subject: subject, kind: object.count("NSFetchIndexElementType") == 1 ? .rTree : .binary,
      isAscending: object["NSAscending"]?.bool ?? true)
  }

  /// A computed element names a made-up property that carries the expression.
  private static func subject(_ object: CompiledObject) -> FetchIndexElement.Subject? {
    if let expression = object["NSIndexedProperty"]?["NSExpression"] {
      return .expression(PredicateArchive.expression(expression))
    }
    return object.filled("NSPropertyName").map(FetchIndexElement.Subject.property)
  }
}
