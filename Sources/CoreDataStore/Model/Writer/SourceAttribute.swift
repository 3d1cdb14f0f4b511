/// Attributes as XML elements; what XML has no form for is left out.
enum SourceAttribute {
  /// The element of an attribute; `composite` is the name under which its parts are written.
  static func element(_ attribute: Attribute, composite: String?) -> XMLText {
    var element = XMLText("attribute")
    SourceParts.addCommon(attribute, to: &element)
    element.add("attributeType", attribute.type.name)
    element.add("composite", composite)
    element.add("indexed", if: attribute.isIndexed)
    element.add("allowsExternalBinaryDataStorage", if: attribute.usesExternalStorage)
    element.add("preserveAfterDeletion", if: attribute.isPreservedAfterDeletion)
    element.add("valueTransformerName", attribute.transformerName)
    element.add("customClassName", attribute.valueClassName)
    let suffix = attribute.type == .date ? "DateTimeInterval" : "ValueString"
    element.add("default" + suffix, attribute.defaultValue?.text)
    for rule in attribute.validation {
      if let (name, text) = setting(rule, attribute.type, suffix) { element.add(name, text) }
    }
    element.add("derived", if: attribute.derivation != nil)
    element.add("derivationExpression", attribute.derivation.map { text($0.expression) })
    SourceParts.addUserInfo(attribute.userInfo, to: &element)
    return element
  }

  /// In XML a bound of a text is a length, and a length belongs to a text.
  private static func setting(
    _ rule: ValidationRule, _ type: AttributeType, _ suffix: String
  ) -> (name: String, text: String)? {
    switch rule {
    case .minimum(let value) where type != .string: value.text.map { ("min" + suffix, $0) }
    case .maximum(let value) where type != .string: value.text.map { ("max" + suffix, $0) }
    case .minimumLength(let length) where type == .string: ("min" + suffix, String(length))
    case .maximumLength(let length) where type == .string: ("max" + suffix, String(length))
    case .matches(let pattern): ("regularExpressionString", pattern)
    default: nil
    }
  }

  /// Xcode's text for an expression: `pages.@count` is what it compiles to `count:(pages)`.
  private static func text(_ expression: ModelExpression) -> String {
    if case .function("count:", let arguments) = expression, arguments.count == 1,
      case .keyPath(let path) = arguments[0]
    {
      return "\(path).@count"
    }
    return expression.description
  }
}
