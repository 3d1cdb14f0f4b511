package import CoreDataStore
internal import SQLite
internal import Testing

/// Short ways to say models in XML and to ask for their schema.
package enum SchemaModels {
  /// An entity with this inside.
  package static func entity(
    _ name: String, parent: String? = nil, abstract: Bool = false, _ body: String...
  ) -> String {
    let parent = parent.map { " parentEntity=\"\($0)\"" } ?? ""
    let abstract = abstract ? " isAbstract=\"YES\"" : ""
    return "<entity name=\"\(name)\"\(parent)\(abstract)>\(body.joined())</entity>"
  }

  /// An optional attribute.
  package static func attribute(
    _ name: String, _ type: String = "String", _ more: String = ""
  ) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
  }

  /// A relationship to one object.
  package static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil
  ) -> String {
    relationship(name, destination, inverse, "maxCount=\"1\"")
  }

  /// A relationship to many objects.
  package static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false
  ) -> String {
    relationship(
      name, destination, inverse, "toMany=\"YES\"" + (ordered ? " ordered=\"YES\"" : ""))
  }

  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String?, _ more: String
  ) -> String {
    let inverse =
      inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" optional=\"YES\" deletionRule=\"Nullify\" "
      + "destinationEntity=\"\(destination)\"\(inverse) \(more)/>"
  }

  /// A fetch index over properties; a minus before a name means downwards.
  package static func index(
    _ name: String, _ properties: String..., type: String = "Binary", where predicate: String = ""
  ) -> String {
    let condition = predicate.isEmpty ? "" : " partialIndexPredicate=\"\(predicate)\""
    let elements = properties.map { property in
      let isDown = property.hasPrefix("-")
      let name = isDown ? String(property.dropFirst()) : property
      let order = isDown ? "descending" : "ascending"
      return "<fetchIndexElement property=\"\(name)\" type=\"\(type)\" order=\"\(order)\"/>"
    }
    return "<fetchIndex name=\"\(name)\"\(condition)>\(elements.joined())</fetchIndex>"
  }

  /// A uniqueness constraint.
  package static func unique(_ properties: String...) -> String {
    let list = properties.map { "<constraint value=\"\($0)\"/>" }.joined()
    return "<uniquenessConstraints><uniquenessConstraint>\(list)</uniquenessConstraint>"
      + "</uniquenessConstraints>"
  }

  /// The schema of these entities.
  package static func schema(
    _ entities: String..., framework: FrameworkVersion = .newest,
    masters: Set<PropertyReference> = []
  ) throws -> StoreSchema {
    try StoreSchema(
      of: ModelText.model(entities.joined()), framework: framework, masters: masters)
  }
}
