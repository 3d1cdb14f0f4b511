/// Parts of a model's XML that lose nothing.
enum SourceParts {
  /// The attributes that all properties have.
  static func addCommon(_ property: some Property, to element: inout XMLText) {
    element.add("name", property.name)
    element.add("optional", if: property.isOptional)
    element.add("transient", if: property.isTransient && !(property is FetchedProperty))
    element.add("elementID", property.renamingIdentifier)
    element.add("versionHashModifier", property.hashModifier)
  }

  /// The entries that the application added to the definition.
  static func addUserInfo(_ userInfo: [String: String], to element: inout XMLText) {
    guard !userInfo.isEmpty else { return }
    var info = XMLText("userInfo")
    for key in userInfo.keys.sortedByName() {
      var entry = XMLText("entry")
      entry.add("key", key)
      entry.add("value", userInfo[key])
      info.add(entry)
    }
    element.add(info)
  }

  /// Lists of names: `<outer><inner><item value="name"/></inner></outer>`; nil when there are none.
  static func lists(
    _ lists: [[String]], _ outer: String, _ inner: String, _ item: String
  ) -> XMLText? {
    guard !lists.isEmpty else { return nil }
    var element = XMLText(outer)
    for names in lists {
      var list = XMLText(inner)
      for name in names { list.add(item, "value", name) }
      element.add(list)
    }
    return element
  }

  static func element(_ index: FetchIndex) -> XMLText {
    var element = XMLText("fetchIndex")
    element.add("name", index.name)
    element.add("partialIndexPredicate", index.predicate?.description)
    for part in index.elements { element.add(self.element(part)) }
    return element
  }

  private static func element(_ part: FetchIndexElement) -> XMLText {
    var element = XMLText("fetchIndexElement")
    switch part.subject {
    case .property(let name): element.add("property", name)
    case .expression(let expression): element.add("expression", expression.description)
    }
    element.add("type", part.kind == .rTree ? "RTree" : "Binary")
    element.add("order", part.isAscending ? "ascending" : "descending")
    return element
  }

  static func element(_ relationship: Relationship) -> XMLText {
    var element = XMLText("relationship")
    addCommon(relationship, to: &element)
    element.add("toMany", if: relationship.isToMany)
    element.add("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount))
    element.add("maxCount", relationship.maxCount == 0 ? nil : String(relationship.maxCount))
    element.add("deletionRule", relationship.deleteRule.name)
    element.add("ordered", if: relationship.isOrdered)
    element.add("indexed", if: relationship.isIndexed)
    element.add("destinationEntity", relationship.destination)
    element.add("inverseName", relationship.inverseName)
    element.add("inverseEntity", relationship.inverseEntity)
    addUserInfo(relationship.userInfo, to: &element)
    return element
  }
}
