package import CoreDataStore

/// An entity of the first store and the one of the second that it became; one of them may be
/// missing.
package struct EntityPair: Sendable {
  /// The entity of the first store.
  package let old: EntityLayout?
  /// The entity of the second store.
  package let new: EntityLayout?
  var attributes: [AttributePair]
  /// The relationships, by name.
  var links: [LinkPair]
  /// The attribute by whose value the objects are paired, instead of by Z_PK.
  let key: AttributePair?
  /// The condition over a row `s` of either store; nil where the store's entity cannot say it.
  let oldCondition: String?
  let newCondition: String?

  /// The name it is reported under.
  package var name: String { new?.name ?? old?.name ?? "" }
  /// The first store's name, where that is another.
  package var from: String? { new == nil || old?.name == new?.name ? nil : old?.name }

  /// Which stores have it.
  package var presence: ComparedEntity.Presence {
    old == nil ? .second : new == nil ? .first : .both
  }
}

/// An attribute on both sides.
struct AttributePair: Sendable {
  /// The name it is reported under.
  let name: String
  /// Its column in the first store.
  let old: AttributeColumn?
  /// Its column in the second store.
  let new: AttributeColumn?

  /// Whether equal bytes are equal values.
  var isStoredAlike: Bool { old?.storage == new?.storage }
}

/// The column of an attribute, and how values lie in it.
struct AttributeColumn: Sendable, Hashable {
  let name: String
  let storage: AttributeStorage
}

/// A relationship on both sides.
struct LinkPair: Sendable {
  /// The name it is reported under.
  let name: String
  /// Where the first store has its links.
  let old: LinkRows?
  /// Where the second store has its links.
  let new: LinkRows?
  /// Whether its links are reported as those of its inverse, so that only their order counts here.
  let countsOnlyOrder: Bool

  /// Whether both sides have an order.
  var isOrdered: Bool { old?.position != nil && new?.position != nil }
}

/// Where the links of a relationship are: each row one link.
struct LinkRows: Sendable, Hashable {
  let table: String
  /// The column with the key of the object that has the relationship.
  let owner: String
  /// The column with the key of the object it leads to.
  let destination: String
  /// The column with the places of the objects it leads to.
  let position: String?
  /// The entity it leads to, and that one's table.
  let entity: String
  let entityTable: String

  /// Whether a link stands in the row of the object that has it.
  var isColumn: Bool { owner == "Z_PK" && destination != "Z_PK" }
}
