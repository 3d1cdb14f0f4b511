/// Reads relationships and fetched properties of a compiled model.
enum CompiledPropertyReader {
  static func relationship(_ object: CompiledObject, name: String) -> Relationship {
    object.payForProperty()
    let destination = object["NSDestinationEntity"]?["NSEntityName"]?.string
    let inverse = object["NSInverseRelationship"]
    var relationship = Relationship(
      name: name, destination: destination ?? object.filled("_NSDestinationEntityName") ?? "")
    relationship.inverseName =
      inverse?["NSPropertyName"]?.string ?? object.filled("_NSInverseRelationshipName")
    relationship.inverseEntity =
      relationship.inverseName == nil
      ? nil : inverse?["NSEntity"]?["NSEntityName"]?.string ?? relationship.destination
    relationship.minCount = object.count("NSMinCount")
    relationship.maxCount = object.count("NSMaxCount")
    relationship.isOrdered = object.flag("NSIsOrdered")
    relationship.deleteRule = DeleteRule(rawValue: object.count("NSDeleteRule")) ?? .noAction
    relationship.isOptional = object.flag("NSIsOptional")
    relationship.isTransient = object.flag("NSIsTransient")
    relationship.isReadOnly = object.flag("NSIsReadOnly")
    relationship.isIndexed = object.flag("NSIsIndexed")
    relationship.hashModifier = object.filled("NSVersionHashModifier")
    relationship.renamingIdentifier = object.renamingIdentifier(of: name)
    relationship.userInfo = object.userInfo
    return relationship
  }

  static func fetchedProperty(_ object: CompiledObject, name: String) -> FetchedProperty {
    object.payForProperty()
    var property = FetchedProperty(name: name)
    property.isOptional = object.flag("NSIsOptional")
    property.hashModifier = object.filled("NSVersionHashModifier")
    property.renamingIdentifier = object.renamingIdentifier(of: name)
    property.userInfo = object.userInfo
    property.request = object["NSFetchRequest"].map { request in
      // Xcode gives the request this name; compiled models do not keep it.
      var request = fetchRequest(request, name: "fetchedPropertyFetchRequest")
      request.entity = request.entity ?? object.filled("_NSFetchRequestEntityName")
      return request
    }
    return property
  }

  static func fetchRequest(_ object: CompiledObject, name: String) -> FetchRequest {
    FetchRequest(
      name: name,
      entity: object["NSEntity"]?["NSEntityName"]?.string ?? object.filled("NSEntityName"),
      predicate: object["NSPredicate"].map(PredicateArchive.predicate))
  }
}
