/// A column of an entity table.
package struct StoreColumn: Hashable, Sendable {
  package enum Role: Hashable, Sendable {
    /// Z_PK: the object's number within its root entity.
    case primaryKey
    /// Z_ENT: the number of the object's entity.
    case entityNumber
    /// Z_OPT: how often the object was saved.
    case saveCounter
    /// The value of an attribute.
    case attribute(PropertyReference)
    /// The destination's Z_PK.
    case toOne(PropertyReference)
    /// The destination's Z_ENT, next to its Z_PK.
    case destinationEntity(PropertyReference)
    /// The object's place in the ordered to-many that is the inverse of this to-one.
    case position(PropertyReference)
    /// The Z_PK of the object whose to-many, which has no inverse, this one belongs to.
    case owner(PropertyReference)
    /// The object's place in an ordered to-many that has no inverse.
    case ownerPosition(PropertyReference)
  }

  package let name: String
  package let type: ColumnType
  /// What it is for.
  package let role: Role

  /// The property it belongs to; nil for Z_PK, Z_ENT and Z_OPT.
  package var property: PropertyReference? {
    switch role {
    case .primaryKey, .entityNumber, .saveCounter: nil
    case .attribute(let property), .toOne(let property), .destinationEntity(let property),
      .position(let property), .owner(let property), .ownerPosition(let property):
      property
    }
  }

  /// The three columns that each entity table begins with.
  static let fixed = [
    StoreColumn(name: "Z_PK", type: .integer, role: .primaryKey),
    StoreColumn(name: "Z_ENT", type: .integer, role: .entityNumber),
    StoreColumn(name: "Z_OPT", type: .integer, role: .saveCounter),
  ]
}
