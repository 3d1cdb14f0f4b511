/// A model as an XML document, and what is lost on the way.
struct SourceDocument {
  private let model: Model
  private var composites: [String: [Attribute]] = [:]
  /// What the form cannot carry, one sentence each.
  private(set) var losses: [String] = []

  init(_ model: Model) { self.model = model }

  /// The whole document.
  mutating func text() -> String {
    var root = XMLText("model")
    root.add("type", "com.apple.IDECoreDataModeler.DataModel")
    root.add("documentVersion", "1.0")
    root.add("lastSavedToolsVersion", "22758")
    root.add("minimumToolsVersion", "Automatic")
    root.add("sourceLanguage", "Swift")
    root.add("userDefinedModelVersionIdentifier", model.versionIdentifiers.first ?? "")
    if model.versionIdentifiers.count > 1 {
      losses.append("Only the first of several version identifiers is kept.")
    }
    for entity in model.entities { root.add(element(entity)) }
    for name in composites.keys.sortedByName() { root.add(composite(name)) }
    for request in model.fetchRequests { root.add(element(request, "the model")) }
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
    for attribute in entity.attributes { element.add(self.element(attribute, in: entity)) }
    for relationship in entity.relationships { element.add(SourceParts.element(relationship)) }
    for property in entity.fetchedProperties { element.add(self.element(property, in: entity)) }
    for index in entity.fetchIndexes { element.add(self.element(index, in: entity)) }
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
    let place = "\(entity.name).\(attribute.name)"
    let form = SourceAttribute(attribute, at: place, composite: register(attribute, at: place))
    losses += form.losses
    return form.element
  }

  /// Keeps the parts of a composite for the end of the document; its name, or nil for others.
  private mutating func register(_ attribute: Attribute, at place: String) -> String? {
    guard attribute.type == .composite else { return nil }
    let name = attribute.compositeName ?? place.replacing(".", with: "_")
    if let other = composites[name], other != attribute.elements {
      losses.append("\(place) is written with the parts of another composite \(name).")
    }
    guard composites[name] == nil else { return name }
    composites[name] = attribute.elements
    for part in attribute.elements { _ = register(part, at: "\(place).\(part.name)") }
    return name
  }

  private mutating func composite(_ name: String) -> XMLText {
    var element = XMLText("composite")
    element.add("name", name)
    for part in composites[name] ?? [] {
      let place = "composite \(name).\(part.name)"
      let form = SourceAttribute(part, at: place, composite: register(part, at: place))
      losses += form.losses
      element.add(form.element)
    }
    return element
  }

  private mutating func element(_ property: FetchedProperty, in entity: Entity) -> XMLText {
    var element = XMLText("fetchedProperty")
    SourceParts.addCommon(property, to: &element)
    if let request = property.request {
      element.add(self.element(request, "\(entity.name).\(property.name)"))
    }
    SourceParts.addUserInfo(property.userInfo, to: &element)
    return element
  }

  private mutating func element(_ request: FetchRequest, _ place: String) -> XMLText {
    var element = XMLText("fetchRequest")
    element.add("name", request.name)
    element.add("entity", request.entity)
    element.add("predicateString", request.predicate.flatMap { text($0, "\(place), a fetch") })
    return element
  }

  private mutating func element(_ index: FetchIndex, in entity: Entity) -> XMLText {
    let place = "\(entity.name), index \(index.name)"
    var element = XMLText("fetchIndex")
    element.add("name", index.name)
    element.add("partialIndexPredicate", index.predicate.flatMap { text($0, place) })
    for part in index.elements {
      if let part = self.element(part, place) { element.add(part) }
    }
    return element
  }

  private mutating func element(_ part: FetchIndexElement, _ place: String) -> XMLText? {
    var element = XMLText("fetchIndexElement")
    switch part.subject {
    case .property(let name): element.add("property", name)
    case .expression(let expression):
      if let problem = expression.unreadable {
        losses.append("\(place): an element is left out, \(problem).")
        return nil
      }
      element.add("expression", expression.description)
    }
    element.add("type", part.kind == .rTree ? "RTree" : "Binary")
    element.add("order", part.isAscending ? "ascending" : "descending")
    return element
  }

  private mutating func text(_ predicate: ModelPredicate, _ place: String) -> String? {
    let text = predicate.description
    if PredicateParser.predicate(text) != predicate {
      losses.append("\(place): the predicate \(text) may read back differently.")
    }
    return text
  }

  private func configuration(_ name: String) -> XMLText {
    var element = XMLText("configuration")
    element.add("name", name)
    for member in model.configurations[name] ?? [] { element.add("memberEntity", "name", member) }
    return element
  }
}
