/// A model as an XML document; what XML has no form for is left out.
struct SourceDocument {
  private let model: Model
  private var composites: [String: [Attribute]] = [:]

  init(_ model: Model) { self.model = model }

  mutating func text() -> String {
    var root = XMLText("model")
    root.add("type", "com.apple.IDECoreDataModeler.DataModel")
    root.add("documentVersion", "1.0")
    root.add("lastSavedToolsVersion", "22758")
    root.add("minimumToolsVersion", "Automatic")
    root.add("sourceLanguage", "Swift")
    root.add("userDefinedModelVersionIdentifier", model.versionIdentifiers.first)
    for entity in model.entities { root.add(element(entity)) }
    for name in composites.keys.sortedByName() { root.add(composite(name)) }
    for request in model.fetchRequests { root.add(element(request)) }
    for name in model.configurations.keys.sortedByName() { root.add(configuration(name)) }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n" + root.text()
  }

  private mutating func element(_ entity: Entity) -> XMLText {
    var element = XMLText("entity")
    element.add("name", entity.name)
    element.add("representedClassName", entity.className)
    element.add("isAbstract", if: entity.isAbstract)
    element.add("parentEntity", entity.parent)
    element.add("elementID", entity.renamingIdentifier)
    element.add("versionHashModifier", entity.hashModifier)
    element.add("syncable", if: true)
    for attribute in entity.declaredAttributes { element.add(self.element(attribute, in: entity)) }
    for relationship in entity.relationships { element.add(SourceParts.element(relationship)) }
    for property in entity.fetchedProperties { element.add(self.element(property)) }
    for index in entity.fetchIndexes { element.add(SourceParts.element(index)) }
    if let lists = SourceParts.lists(
      entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
    {
      element.add(lists)
    }
    if let lists = SourceParts.lists(
      entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
    {
      element.add(lists)
    }
    SourceParts.addUserInfo(entity.userInfo, to: &element)
    return element
  }

  private mutating func element(_ attribute: Attribute, in entity: Entity) -> XMLText {
    let place = "\(entity.name)_\(attribute.name)"
    return SourceAttribute.element(attribute, composite: register(attribute, at: place))
  }

  /// Keeps the parts of a composite for the end of the document; its name, or nil for others.
  private mutating func register(_ attribute: Attribute, at place: String) -> String? {
    guard attribute.type == .composite else { return nil }
    let name = attribute.compositeName ?? place
    guard composites[name] == nil else { return name }
    composites[name] = attribute.elements
    for part in attribute.elements { _ = register(part, at: "\(place)_\(part.name)") }
    return name
  }

  private mutating func composite(_ name: String) -> XMLText {
    var element = XMLText("composite")
    element.add("name", name)
    for part in composites[name] ?? [] {
      let inner = register(part, at: "\(name)_\(part.name)")
      element.add(SourceAttribute.element(part, composite: inner))
    }
    return element
  }

  private func element(_ property: FetchedProperty) -> XMLText {
    var element = XMLText("fetchedProperty")
    SourceParts.addCommon(property, to: &element)
    if let request = property.request { element.add(self.element(request)) }
    SourceParts.addUserInfo(property.userInfo, to: &element)
    return element
  }

  private func element(_ request: FetchRequest) -> XMLText {
    var element = XMLText("fetchRequest")
    element.add("name", request.name)
    element.add("entity", request.entity)
    element.add("predicateString", request.predicate?.description)
    return element
  }

  private func configuration(_ name: String) -> XMLText {
    var element = XMLText("configuration")
    element.add("name", name)
    for member in model.configurations[name] ?? [] { element.add("memberEntity", "name", member) }
    return element
  }
}

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
