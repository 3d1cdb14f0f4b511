/// Reads one attribute of a compiled model.
enum CompiledAttributeReader {
  /// Bits of `NSFlagsKey`.
  private enum Flag {
    static let externalStorage = 4
    static let preservedAfterDeletion = 16
  }

  /// No real model has composites within composites within composites.
  private static let deepest = 8

  /// The attribute with all its parts.
  static func read(_ object: CompiledObject, name: String, depth: Int = 1) throws -> Attribute {
    let type = AttributeType(code: object["NSAttributeType"]?.integer ?? 0)
    object.payForProperty()
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = object.flag("NSIsOptional")
    attribute.isTransient = object.flag("NSIsTransient")
    attribute.isReadOnly = object.flag("NSIsReadOnly")
    attribute.isIndexed = object.flag("NSIsIndexed")
    let flags = object.count("NSFlagsKey")
    attribute.usesExternalStorage = flags & Flag.externalStorage != 0
    attribute.isPreservedAfterDeletion = flags & Flag.preservedAfterDeletion != 0
    attribute.transformerName = object.filled("NSValueTransformerName")
    if type == .transformable { attribute.valueClassName = className(object) }
    attribute.hashModifier = object.filled("NSVersionHashModifier")
    attribute.renamingIdentifier = object.renamingIdentifier(of: name)
    attribute.userInfo = object.userInfo
    attribute.defaultValue = object["NSDefaultValue"]?.constant.normalized(for: type)
    attribute.validation = CompiledValidation.rules(object["NSValidationPredicates"], type: type)
    attribute.derivation = derivation(object)
    if type == .composite { try readComposite(object, into: &attribute, depth: depth) }
    return attribute
  }

  private static func className(_ object: CompiledObject) -> String? {
    object.filled("NSAttributeValueClassName")
  }

  private static func derivation(_ object: CompiledObject) -> Derivation? {
    guard object.isKind(of: "NSDerivedAttributeDescription") else { return nil }
    let expression = object["NSDerivationExpression"].map(PredicateArchive.expression)
    return Derivation(
      expression: expression ?? .unknown("", why: "it has no expression"),
      filter: object["NSFilteringPredicate"].map(PredicateArchive.predicate))
  }

  /// No archive of a composite was available; the keys are from Core Data's own code.
  private static func readComposite(
    _ object: CompiledObject, into attribute: inout Attribute, depth: Int
  ) throws {
    guard depth <= deepest else {
      throw Failure(
        readingModel: "attribute \(attribute.name)", why: "Its composites nest too deeply.")
    }
    attribute.compositeName = object.filled("NSCompositeName")
    let elements = object["NSCompositeElements"] ?? object["NSElements"]
    attribute.elements = try (elements?.elements ?? elements?.entries?.map(\.value) ?? [])
      .compactMap { part in
        guard let name = part["NSPropertyName"]?.string else { return nil }
        return try read(part, name: name, depth: depth + 1)
      }
    attribute.elements = filled(attribute.elements, with: object["NSDefaultValue"])
    attribute.defaultValue = nil
  }

  /// The parts with their defaults: those that the composite's own default names, a dictionary,
  /// get theirs from it; the others keep their own, so that its "gaps are filled".
  private static func filled(_ parts: [Attribute], with defaults: CompiledObject?) -> [Attribute] {
    let pairs = (defaults?.entries ?? []).compactMap { key, value in
      key.string.map { ($0, value) }
    }
    let values = Dictionary(pairs) { first, _ in first }
    return parts.map { part in
      guard let value = values[part.name] else { return part }
      var part = part
      if part.type == .composite {
        part.elements = filled(part.elements, with: value)
      } else {
        part.defaultValue = value.constant.normalized(for: part.type)
      }
      return part
    }
  }
}

/// Validation predicates of a compiled model, as the rules that Xcode makes them from.
enum CompiledValidation {
  /// The rules of an attribute, in a fixed order.
  static func rules(_ object: CompiledObject?, type: AttributeType) -> [ValidationRule] {
    let predicates = (object?.elements ?? []).map(PredicateArchive.predicate)
    return ValidationRule.inOrder(predicates.flatMap { rules($0, type) })
  }

  private static func rules(_ predicate: ModelPredicate, _ type: AttributeType) -> [ValidationRule]
  {
    if case .and(let parts) = predicate, !parts.isEmpty { return parts.flatMap { rules($0, type) } }
    guard case .comparison(let comparison) = predicate, comparison.quantifier == .direct,
      comparison.options.isEmpty, case .constant(let bound) = comparison.right
    else { return [.predicate(predicate)] }
    return [rule(comparison, bound.normalized(for: type)) ?? .predicate(predicate)]
  }

  private static func rule(
    _ comparison: ModelComparison, _ bound: ModelConstant
  ) -> ValidationRule? {
    switch (comparison.left, comparison.comparator, bound) {
    case (.itself, .atLeast, _): .minimum(bound)
    case (.itself, .atMost, _): .maximum(bound)
    case (.itself, .matches, .string(let pattern)): .matches(pattern)
    case (.keyPath("length"), .atLeast, .integer(let length)): .minimumLength(Int(length))
    case (.keyPath("length"), .atMost, .integer(let length)): .maximumLength(Int(length))
    default: nil
    }
  }
}
