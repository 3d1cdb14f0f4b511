/// An attribute as an XML element, and what is lost on the way.
struct SourceAttribute {
  /// The element.
  private(set) var element = XMLText("attribute")
  /// What the form cannot carry, one sentence each.
  private(set) var losses: [String] = []

  private let attribute: Attribute
  private let place: String

  /// The element of an attribute; `composite` is the name under which its parts are written.
  init(_ attribute: Attribute, at place: String, composite: String?) {
    self.attribute = attribute
    self.place = place
    SourceParts.addCommon(attribute, to: &element)
    element.add("attributeType", attribute.type.name)
    element.add("composite", composite)
    element.add("indexed", if: attribute.isIndexed)
    element.add("allowsExternalBinaryDataStorage", if: attribute.usesExternalStorage)
    element.add("preserveAfterDeletion", if: attribute.isPreservedAfterDeletion)
    element.add("valueTransformerName", attribute.transformerName)
    element.add("customClassName", attribute.valueClassName)
    addDefault()
    for rule in attribute.validation { add(rule) }
    addDerivation()
    SourceParts.addUserInfo(attribute.userInfo, to: &element)
  }

  private var isDate: Bool { attribute.type == .date }

  private mutating func addDefault() {
    guard let value = attribute.defaultValue else { return }
    guard let text = value.text else {
      losses.append("\(place): XML has no form for its default value.")
      return
    }
    element.add(isDate ? "defaultDateTimeInterval" : "defaultValueString", text)
  }

  private mutating func add(_ rule: ValidationRule) {
    switch rule {
    case .minimum(let value): add(bound: value, "min", rule)
    case .maximum(let value): add(bound: value, "max", rule)
    case .minimumLength(let length): add(length: length, "min", rule)
    case .maximumLength(let length): add(length: length, "max", rule)
    case .matches(let pattern): element.add("regularExpressionString", pattern)
    case .predicate: lose(rule)
    }
  }

  /// In XML a bound of a text is a length, and a length belongs to a text.
  private mutating func add(bound: ModelConstant, _ side: String, _ rule: ValidationRule) {
    guard attribute.type != .string, let text = bound.text else { return lose(rule) }
    element.add(side + (isDate ? "DateTimeInterval" : "ValueString"), text)
  }

  private mutating func add(length: Int, _ side: String, _ rule: ValidationRule) {
    guard attribute.type == .string else { return lose(rule) }
    element.add(side + "ValueString", String(length))
  }

  private mutating func lose(_ rule: ValidationRule) {
    losses.append("\(place): XML has no form for the validation \(rule).")
  }

  private mutating func addDerivation() {
    guard let derivation = attribute.derivation else { return }
    element.add("derived", if: true)
    let text = DerivationText.text(derivation.expression)
    if text == nil { losses.append("\(place): its derivation may read back differently.") }
    element.add("derivationExpression", text ?? derivation.expression.description)
    if let filter = derivation.filter {
      losses.append("\(place): XML has no known form for the filter of its derivation, \(filter).")
    }
  }
}
