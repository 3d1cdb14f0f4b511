package import CoreDataStore
import Formats

/// The archive of a model, as Core Data keeps it in a store: as much of it as the models of these
/// tests need.
package struct ModelArchive {
  private var maker = ArchiveMaker()

  /// The bytes of the archive.
  package static func bytes(of model: Model) throws -> [UInt8] {
    var archive = Self()
    return try archive.bytes(model)
  }

  private mutating func bytes(_ model: Model) throws -> [UInt8] {
    var entities: [String: PropertyList] = [:]
    for entity in model.entities { entities[entity.name] = add(entity) }
    let identifiers = model.versionIdentifiers.map { maker.add(.string($0)) }
    let root = maker.add(
      "NSManagedObjectModel",
      [
        "NSEntities": maker.add(table: entities),
        "NSVersionIdentifiers": maker.add(list: identifiers),
      ])
    return try maker.bytes(root: root)
  }

  private mutating func add(_ entity: Entity) -> PropertyList {
    var properties: [String: PropertyList] = [:]
    for attribute in entity.declaredAttributes { properties[attribute.name] = add(attribute) }
    for relationship in entity.relationships {
      properties[relationship.name] = add(relationship)
    }
    var tuples: [PropertyList] = []
    for constraint in entity.uniquenessConstraints {
      var names: [PropertyList] = []
      for name in constraint { names.append(maker.add(.string(name))) }
      tuples.append(maker.add(list: names))
    }
    return maker.add(
      "NSEntityDescription",
      [
        "NSEntityName": maker.add(.string(entity.name)),
        "NSClassNameForEntity": maker.add(.string(entity.className ?? entity.name)),
        "NSProperties": maker.add(table: properties), "NSUniqueTuples": maker.add(list: tuples),
      ])
  }

  private mutating func add(_ attribute: Attribute) -> PropertyList {
    var fields: [String: PropertyList] = [
      "NSPropertyName": maker.add(.string(attribute.name)),
      "NSAttributeType": .integer(attribute.type.code.map(Int64.init) ?? 0),
      "NSIsOptional": .bool(attribute.isOptional),
    ]
    if let text = attribute.renamingIdentifier {
      fields["NSRenamingIdentifier"] = maker.add(.string(text))
    }
    switch attribute.defaultValue {
    case .string(let text)?: fields["NSDefaultValue"] = maker.add(.string(text))
    case .integer(let number)?: fields["NSDefaultValue"] = maker.add(.integer(number))
    case .boolean(let truth)?: fields["NSDefaultValue"] = maker.add(.bool(truth))
    default: break
    }
    guard attribute.type == .composite else {
      return maker.add("NSAttributeDescription", fields)
    }
    var elements: [PropertyList] = []
    for element in attribute.elements { elements.append(add(element)) }
    fields["NSCompositeElements"] = maker.add(list: elements)
    return maker.add(
      "NSCompositeAttributeDescription", from: "NSAttributeDescription", fields: fields)
  }

  private mutating func add(_ relationship: Relationship) -> PropertyList {
    var fields: [String: PropertyList] = [
      "NSPropertyName": maker.add(.string(relationship.name)),
      "_NSDestinationEntityName": maker.add(.string(relationship.destination)),
      "NSMinCount": .integer(Int64(relationship.minCount)),
      "NSMaxCount": .integer(Int64(relationship.maxCount)),
      "NSDeleteRule": .integer(Int64(relationship.deleteRule.rawValue)),
      "NSIsOptional": .bool(relationship.isOptional),
      "NSIsOrdered": .bool(relationship.isOrdered),
    ]
    if let name = relationship.inverseName {
      fields["_NSInverseRelationshipName"] = maker.add(.string(name))
    }
    return maker.add("NSRelationshipDescription", fields)
  }
}
