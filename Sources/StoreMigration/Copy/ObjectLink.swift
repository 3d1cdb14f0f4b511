internal import CoreDataStore

/// One relationship of an object of the target, and what stands for it.
struct ObjectLink {
  let owner: EntityLayout
  /// The entity that it leads to.
  let destination: String
  /// What stands for it.
  let storage: PropertyStorage
  /// What stands for the relationship that leads back.
  let inverse: PropertyStorage?
  /// The relationship, by the entity that declares it.
  let reference: PropertyReference
  /// The relationship that leads back.
  let inverseReference: PropertyReference?

  private let object: ObjectID
  private let name: String
  private let model: Model

  /// - Throws: ``Failure`` with the nearest name when there is no such relationship.
  init(_ schema: StoreSchema, _ object: ObjectID, _ name: String) throws {
    (self.object, self.name, model) = (object, name, schema.model)
    owner = try schema.layout(of: object.entity)
    guard let entity = model.entity(named: object.entity),
      let found = model.relationship(named: name, of: entity), let storage = owner[name]
    else { throw Self.unknown(object, name, owner) }
    self.storage = storage
    reference = PropertyReference(found.declaredBy.name, name)
    destination = found.relationship.destination
    let back = model.inverse(of: found.relationship)
    inverseReference = back.map { PropertyReference($0.declaredBy.name, $0.relationship.name) }
    inverse = back.flatMap {
      schema.entity(named: $0.declaredBy.name)?[$0.relationship.name]
    }
  }

  /// Whether the relationship is its own inverse.
  var isReflexive: Bool { inverse == storage }

  /// Refuses an object that the relationship cannot lead to.
  func check(_ other: ObjectID) throws {
    guard let entity = model.entity(named: other.entity),
      let far = model.entity(named: destination), model.entity(entity, inheritsFrom: far)
    else {
      throw error(
        "It leads to \(destination), and an object of \(other.entity) is none.",
        remedy: "Give it objects of \(destination).")
    }
  }

  /// More than one object where one can be.
  func tooMany() -> Failure {
    error("It leads to one object, and was given several.", remedy: "Give it one of them.")
  }

  /// A name that stands for nothing in the store.
  func unknown() -> Failure { Self.unknown(object, name, owner) }

  private func error(_ why: String, remedy: String) -> Failure {
    Failure(
      .unusable, what: "cannot link objects",
      subject: "entity \(object.entity), Z_PK \(object.key), relationship \(name)", why: why,
      remedy: remedy)
  }

  private static func unknown(
    _ object: ObjectID, _ name: String, _ owner: EntityLayout
  ) -> Failure {
    Failure(
      .unusable, what: "cannot link objects",
      subject: "entity \(object.entity), Z_PK \(object.key), relationship \(name)",
      why: "The target's \(owner.name) has no stored relationship of that name"
        + NearestName.suggestion(for: name, among: owner.properties) + ".",
      remedy: "Correct the name.")
  }
}
