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

/// The declared type of a column; the raw value is the word in the CREATE statement.
package enum ColumnType: String, Hashable, Sendable {
  case integer = "INTEGER"
  case decimal = "DECIMAL"
  case float = "FLOAT"
  case timestamp = "TIMESTAMP"
  case varchar = "VARCHAR"
  case blob = "BLOB"

  /// The type for an attribute's values, and the group in which a fresh table has its column; nil
  /// when such values are not stored, or not in one column.
  static func of(_ type: AttributeType) -> (type: ColumnType, group: ColumnGroup)? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: (.integer, .integers)
    case .double, .float: (.float, .reals)
    case .date: (.timestamp, .reals)
    case .decimal: (.decimal, .decimals)
    case .string: (.varchar, .strings)
    case .uri: (.varchar, .uris)
    case .uuid: (.blob, .uuids)
    case .transformable: (.blob, .transformables)
    case .binary: (.blob, .binaries)
    case .objectID: (.varchar, .objectIDs)
    case .undefined, .composite, .unknown: nil
    }
  }
}

/// The groups of columns in a fresh table, in their order.
enum ColumnGroup: Int, CaseIterable {
  case integers, positions, reals, decimals, strings, uris, uuids, transformables, binaries
  case objectIDs
}
