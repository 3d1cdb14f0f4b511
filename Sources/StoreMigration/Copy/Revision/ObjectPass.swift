package import CoreDataStore

/// The objects that a stage goes through, and their order.
package struct ObjectPass: Sendable, Hashable {
  /// How objects that have something in common are put together.
  package struct Grouping: Sendable, Hashable {
    /// The attributes and relationships to one object whose values are equal in a group; an object
    /// without one of them is in none.
    package var names: [String]
    /// The attribute that orders the objects of a group, before their keys; without one, these do.
    package var order: String?
    /// Whether the highest value comes first, or the highest key.
    package var isDescending: Bool
    /// The fewest objects that a group has.
    package var least: Int

    /// A grouping in all its parts.
    package init(
      by names: [String], order: String? = nil, isDescending: Bool = false, least: Int = 1
    ) {
      self.names = names
      self.order = order
      self.isDescending = isDescending
      self.least = least
    }
  }

  /// The entity; objects of those that inherit from it count, too.
  package var entity: String
  /// What must hold for an object; nil for all.
  package var condition: ModelPredicate?
  /// How they are put together; nil for one after the other, by their keys.
  package var grouping: Grouping?

  package init(
    over entity: String, where condition: ModelPredicate? = nil, _ grouping: Grouping? = nil
  ) {
    self.entity = entity
    self.condition = condition
    self.grouping = grouping
  }
}

/// One object that a pass comes to.
package struct PassedObject: Sendable, Hashable {
  /// Where it stands in the pass; what comes next has a higher place.
  package let place: Int64
  package let id: ObjectID
  /// The group it is in, when the pass has groups.
  package let group: Group?

  /// Objects with something in common.
  package struct Group: Sendable, Hashable {
    package let first: ObjectID
    /// The group's number, counted from 1.
    package let number: Int64
  }
}
