/// What stands in a store for a property.
package enum PropertyStorage: Hashable, Sendable {
  /// An attribute: one column of the entity's table.
  case attribute(StoreColumn)
  /// A relationship to one object: columns of the entity's table.
  case toOne(ToOneStorage)
  /// A relationship to many objects, each of which names this one: columns of their table.
  case toMany(ToManyStorage)
  /// A relationship to many objects that have many themselves: a table of pairs.
  case manyToMany(JoinStorage)
  /// Nothing.
  case notStored(Reason)

  /// Why nothing stands for a property.
  package enum Reason: Hashable, Sendable {
    /// It is transient.
    case transient
    /// It is an attribute of the type Undefined.
    case undefined
    /// It is a fetched property.
    case fetched
  }

  /// The columns of the entity's own table that hold it.
  package var columns: [StoreColumn] {
    switch self {
    case .attribute(let column): [column]
    case .toOne(let storage): [storage.key] + [storage.entity, storage.position].compactMap(\.self)
    case .toMany, .manyToMany, .notStored: []
    }
  }
}

/// The columns of a relationship to one object.
package struct ToOneStorage: Hashable, Sendable {
  /// The destination's Z_PK.
  package let key: StoreColumn
  /// The destination's Z_ENT; there only when the declared destination has sub-entities.
  package let entity: StoreColumn?
  /// This object's place in the inverse; there only when that is an ordered to-many.
  package let position: StoreColumn?
}

/// The columns by which objects belong to another one's to-many.
package struct ToManyStorage: Hashable, Sendable {
  /// The table of the related objects.
  package let table: String
  /// The column with the owner's Z_PK.
  package let key: StoreColumn
  /// The column with their places, when the relationship is ordered.
  package let position: StoreColumn?
  /// Whether the column belongs to the inverse; without one it is there for this to-many alone.
  package let hasInverse: Bool
}

/// A relationship's side of a table of pairs.
package struct JoinStorage: Hashable, Sendable {
  package let table: String
  /// The column with the Z_PK of the object that has the relationship.
  package let source: String
  /// The column with the Z_PK of a related object.
  package let destination: String
  /// The column with the related object's place, when the relationship is ordered.
  package let position: String?
}
