internal import Formats

/// Reads one `<attribute>` of a model's XML.
enum SourceAttributeReader {
  /// The attribute, with the parts of its composite.
  static func read(
    _ element: XMLTree.Element, composites: SourceComposites, of entity: String
  )
    throws -> Attribute
  {
    var attribute = try plain(element)
    if attribute.type == .composite { attribute.elements = try composites.elements(of: element) }
    return attribute
  }

  /// The attribute without the parts of its composite.
  static func plain(_ element: XMLTree.Element) throws -> Attribute {
    let type = AttributeType(name: element.filled("attributeType") ?? "Undefined")
    var attribute = Attribute(name: try element.needed("name"), type: type)
    attribute.isOptional = element.isYes("optional")
    attribute.isTransient = element.isYes("transient")
    attribute.isIndexed = element.isYes("indexed")
    attribute.usesExternalStorage = element.isYes("allowsExternalBinaryDataStorage")
    attribute.isPreservedAfterDeletion = element.isYes("preserveAfterDeletion")
    attribute.compositeName = type == .composite ? element.filled("composite") : nil
    attribute.transformerName = element.filled("valueTransformerName")
    attribute.valueClassName = type == .transformable ? element.filled("customClassName") : nil
    attribute.hashModifier = element.filled("versionHashModifier")
    attribute.renamingIdentifier = element.renamingIdentifier
    attribute.userInfo = element.userInfo
    attribute.defaultValue = defaultValue(element, type)
    attribute.validation = try validation(element, type)
    attribute.derivation = try derivation(element)
    attribute.isReadOnly = attribute.derivation != nil
    return attribute
  }

  private static func defaultValue(
    _ element: XMLTree.Element, _ type: AttributeType
  ) -> ModelConstant? {
    let key = type == .date ? "defaultDateTimeInterval" : "defaultValueString"
    return element[key].flatMap { ModelConstant(text: $0, type: type) }
  }

  /// Bounds are lengths for text, seconds since 2001 for dates, values for everything else.
  private static func validation(
    _ element: XMLTree.Element, _ type: AttributeType
  ) throws -> [ValidationRule] {
    let pattern = element.filled("regularExpressionString").map(ValidationRule.matches)
    if type == .string {
      let least = try element.integer("minValueString").map(ValidationRule.minimumLength)
      let most = try element.integer("maxValueString").map(ValidationRule.maximumLength)
      return [least, most, pattern].compactMap(\.self)
    }
    let suffix = type == .date ? "DateTimeInterval" : "ValueString"
    let bound = { (side: String) in
      element[side + suffix].flatMap { ModelConstant(text: $0, type: type) }
    }
    let least = bound("min").map(ValidationRule.minimum)
    return [least, bound("max").map(ValidationRule.maximum), pattern].compactMap(\.self)
  }

  /// Everything else that Xcode writes at an attribute, and that a derivation does not touch.
  private static let known: Set<String> = [
    "name", "optional", "attributeType", "derived", "derivationExpression", "transient",
    "indexed", "syncable", "usesScalarValueType", "defaultValueString",
    "defaultDateTimeInterval", "minValueString", "maxValueString", "minDateTimeInterval",
    "maxDateTimeInterval", "regularExpressionString", "versionHashModifier", "elementID",
    "spotlightIndexingEnabled", "storedInExternalRecord", "allowsCloudEncryption",
    "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "valueTransformerName",
    "customClassName",
  ]

  private static func derivation(_ element: XMLTree.Element) throws -> Derivation? {
    guard element.isYes("derived") else { return nil }
    let text = try element.needed("derivationExpression")
    let strange = element.attributes.keys.filter { !known.contains($0) }.sortedByName().first
    return Derivation(
      expression: DerivationText.expression(text),
      filter: strange.map { .unknown(element[$0] ?? "", why: "\($0) is not understood") })
  }
}

/// The derivation expressions of a model's XML, which are not quite predicate text.
enum DerivationText {
  /// The expression that Xcode compiles a text to: `pages.@count` becomes `count:(pages)`.
  static func expression(_ text: String) -> ModelExpression {
    let expression = PredicateParser.expression(text)
    guard case .keyPath(let path) = expression else { return expression }
    let steps = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = steps.firstIndex(where: { $0.hasPrefix("@") }), place > 0 else {
      return expression
    }
    let argument = (steps[..<place] + steps[(place + 1)...]).joined(separator: ".")
    return .function("\(steps[place].dropFirst()):", [.keyPath(argument)])
  }
}
