internal import CoreDataStore

/// One object that differs between two stores.
package struct ChangedObject: Hashable, Sendable {
  /// What happened to it.
  package enum Change: String, Sendable, CaseIterable {
    /// Only the second store has it.
    case added
    /// Only the first store has it.
    case removed
    /// Both have it, with other values or links.
    case changed
  }

  /// What happened to it.
  package let change: Change
  /// The object of the first store; for an added one the object that it came of, where known.
  package let source: ObjectID?
  /// The object of the second store.
  package let object: ObjectID?
  /// The values that differ, by name; of added and removed objects all that are there.
  package let values: [ChangedValue]
  /// The links that differ, by name; of added and removed objects all that are there.
  package let links: [ChangedLink]

  package init(
    _ change: Change, source: ObjectID?, object: ObjectID?, values: [ChangedValue],
    links: [ChangedLink] = []
  ) {
    self.change = change
    self.source = source
    self.object = object
    self.values = values
    self.links = links
  }

  /// The entity it is reported under: the second store's name of it, unless it is gone.
  package var entity: String { object?.entity ?? source?.entity ?? "" }

  /// Its Z_PK: the first store's, unless it was added.
  package var key: Int64 {
    (change == .added ? object?.key : source?.key) ?? object?.key ?? 0
  }
}

package struct ChangedValue: Hashable, Sendable {
  package enum Change: String, Sendable, CaseIterable {
    /// There was one, and there is another.
    case changed
    /// There was one, and there is none.
    case emptied
    /// There was one, and the second store's model has no such attribute.
    case removed
    /// There was none, and there is one.
    case appeared
  }

  /// The attribute: the second store's name of it, unless it is gone.
  package let attribute: String
  /// The value of the first store.
  package let old: ComparedValue
  /// The value of the second store.
  package let new: ComparedValue

  package init(_ attribute: String, old: ComparedValue, new: ComparedValue) {
    self.attribute = attribute
    self.old = old
    self.new = new
  }

  /// What happened to it.
  package var change: Change {
    guard old.isThere else { return .appeared }
    return new.isThere ? .changed : new == .absent ? .removed : .emptied
  }
}

/// The links of one relationship that differ.
package struct ChangedLink: Hashable, Sendable {
  /// How many objects are named at most; more are counted.
  package static let mostNamed = 20

  /// The relationship: the second store's name of it, unless it is gone.
  package let relationship: String
  /// Some of the objects that it no longer leads to, as the first store has them.
  package internal(set) var lost: [ObjectID] = []
  /// How many those are.
  package internal(set) var lostCount = 0
  /// Some of the objects that it newly leads to, as the second store has them.
  package internal(set) var gained: [ObjectID] = []
  /// How many those are.
  package internal(set) var gainedCount = 0
  /// Whether it leads to the same objects in another order.
  package internal(set) var isReordered = false
  /// Whether the second store's model has no such relationship.
  package internal(set) var isRemoved = false

  /// Nothing different as yet.
  package init(_ relationship: String) { self.relationship = relationship }

  /// Whether anything is different.
  package var isEmpty: Bool { lostCount == 0 && gainedCount == 0 && !isReordered }

  /// Notes an object that it no longer leads to.
  package mutating func lose(_ object: ObjectID) {
    lostCount += 1
    if lost.count < Self.mostNamed { lost.append(object) }
  }

  /// Notes an object that it newly leads to.
  package mutating func gain(_ object: ObjectID) {
    gainedCount += 1
    if gained.count < Self.mostNamed { gained.append(object) }
  }

  /// Notes links that were found before.
  package mutating func note(
    lost: [ObjectID], of lostCount: Int, gained: [ObjectID], of gainedCount: Int
  ) {
    (self.lost, self.lostCount, self.gained, self.gainedCount) =
      (lost, lostCount, gained, gainedCount)
  }

  /// Notes that the order is another.
  package mutating func reorder() { isReordered = true }

  /// Notes that the second store's model has no such relationship.
  package mutating func remove() { isRemoved = true }
}
