/// Where the objects of one entity are, and what stands for each of its properties.
public struct EntityLayout: Hashable, Sendable {
  /// The entity's name.
  public let name: String
  /// Its number, Z_ENT.
  public let number: Int
  /// The number of its parent, Z_SUPER; 0 when it has none.
  public let parentNumber: Int
  /// The numbers of the entity and all that inherit from it.
  public let family: ClosedRange<Int>
  /// Whether no object can be of this very entity.
  public let isAbstract: Bool
  /// The name of its table.
  public let table: String
  /// What stands for each property, inherited ones included.
  public let storage: [String: PropertyStorage]

  /// Whether entities inherit from it.
  public var hasSubentities: Bool { family.count > 1 }

  /// Whether it has its table to itself.
  ///
  /// Core Data's queries look at Z_ENT only where an entity has a parent or sub-entities, so that
  /// every row of such a table is one of its objects.
  public var isAlone: Bool { family.count == 1 && parentNumber == 0 && !isAbstract }

  /// The condition that a row of a store that others made is an object of this very entity.
  package func isOwn(_ alias: String? = nil) -> String {
    isAlone ? "1" : (alias.map { "\($0)." } ?? "") + "Z_ENT = \(number)"
  }

  /// What stands for a property of this name.
  public subscript(property: String) -> PropertyStorage? { storage[property] }

  /// The names of all properties, in the order of names.
  public var properties: [String] { storage.keys.sortedByName() }
}
