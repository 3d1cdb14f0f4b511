/// Where the objects of one entity are, and what stands for each of its properties.
package struct EntityLayout: Hashable, Sendable {
  package let name: String
  /// Its number, Z_ENT.
  package let number: Int
  /// The number of its parent, Z_SUPER; 0 when it has none.
  package let parentNumber: Int
  /// The numbers of the entity and all that inherit from it.
  package let family: ClosedRange<Int>
  /// Whether no object can be of this very entity.
  package let isAbstract: Bool
  package let table: String
  /// What stands for each property, inherited ones included.
  package let storage: [String: PropertyStorage]

  /// Whether entities inherit from it.
  package var hasSubentities: Bool { family.count > 1 }

  /// Whether objects of other entities may be in its table.
  package var sharesTable: Bool { hasSubentities || parentNumber > 0 }

  /// Whether it has its table to itself.
  ///
  /// Core Data's queries look at Z_ENT only where an entity has a parent or sub-entities, so that
  /// every row of such a table is one of its objects.
  package var isAlone: Bool { family.count == 1 && parentNumber == 0 && !isAbstract }

  /// The condition that a row of a store that others made is an object of this very entity.
  package func isOwn(_ alias: String? = nil) -> String {
    isAlone ? "1" : (alias.map { "\($0)." } ?? "") + "Z_ENT = \(number)"
  }

  /// What stands for a property of this name.
  package subscript(property: String) -> PropertyStorage? { storage[property] }

  /// The column of an attribute; nil for one that is not stored, and for one that only the other
  /// version has.
  ///
  /// - Throws: ``Failure`` where something else than a column stands for it: an entity has a
  ///   relationship with the name of an attribute that it inherits.
  package func column(of attribute: Attribute) throws -> StoreColumn? {
    switch storage[attribute.name] {
    case .attribute(let column): column
    case .notStored, nil: nil
    case .toOne, .toMany, .manyToMany:
      throw Failure(
        .unusableModel, what: "cannot find the column", subject: "\(name).\(attribute.name)",
        why: "The entity has a relationship with the name of an attribute that it inherits.",
        remedy: Failure.fixModel)
    }
  }

  /// The column of the attribute that has this name, which the user gave; nil for any other name.
  package func column(named property: String) -> StoreColumn? {
    switch storage[property] {
    case .attribute(let column): column
    case .notStored, .toOne, .toMany, .manyToMany, nil: nil
    }
  }

  /// The names of all properties, in the order of names.
  package var properties: [String] { storage.keys.sortedByName() }
}
