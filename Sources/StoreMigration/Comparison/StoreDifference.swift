internal import CoreDataStore
package import Formats

/// What is different between two stores, counted.
package struct StoreDifference: Sendable, Equatable {
  /// The entities of both, those without a difference too: by the second store's names.
  package internal(set) var entities: [ComparedEntity] = []
  /// The entries of the metadata that differ, by key.
  package internal(set) var metadata: [ChangedMetadata] = []

  /// What was counted; nothing as yet unless given.
  package init(entities: [ComparedEntity] = [], metadata: [ChangedMetadata] = []) {
    self.entities = entities
    self.metadata = metadata
  }

  /// Whether nothing at all is different.
  package var isSame: Bool { metadata.isEmpty && entities.allSatisfy(\.isSame) }
}

/// What is different between the objects of one entity.
package struct ComparedEntity: Sendable, Hashable {
  /// The name: the second store's, unless it has no such entity.
  package let name: String
  /// The first store's name, where that is another.
  package let from: String?
  /// Which of the stores have the entity.
  package let presence: Presence
  /// Objects that both have, without a difference.
  package internal(set) var kept = 0
  /// Objects that both have, with other values or links.
  package internal(set) var changed = 0
  /// Objects that only the second store has.
  package internal(set) var added = 0
  /// Objects that only the first store has.
  package internal(set) var removed = 0
  /// What happened to the values of each attribute, by name, where anything did.
  package internal(set) var attributes: [String: ComparedAttribute] = [:]
  /// What happened to the links of each relationship, by name, where anything did.
  package internal(set) var links: [String: ComparedLinks] = [:]

  package enum Presence: String, Sendable {
    case both, first, second
  }

  /// An entity without a difference as yet.
  package init(
    name: String, from: String? = nil, presence: Presence = .both, kept: Int = 0
  ) {
    self.name = name
    self.from = from
    self.presence = presence
    self.kept = kept
  }

  /// Whether nothing is different.
  package var isSame: Bool { changed == 0 && added == 0 && removed == 0 }

  /// The objects of the first store.
  package var before: Int { kept + changed + removed }

  package mutating func count(_ object: ChangedObject) {
    switch object.change {
    case .added: added += 1
    case .removed: removed += 1
    case .changed:
      changed += 1
      for value in object.values {
        attributes[value.attribute, default: ComparedAttribute()].count(value.change)
      }
    }
    for link in object.links {
      links[link.relationship, default: ComparedLinks()].count(link)
    }
  }
}

/// What happened to the values of one attribute, in objects that both stores have.
package struct ComparedAttribute: Sendable, Hashable {
  /// There was a value, and there is another.
  package internal(set) var changed = 0
  /// There was a value, and there is none.
  package internal(set) var emptied = 0
  /// There was none, and there is one.
  package internal(set) var appeared = 0
  /// There was a value, and there is no such attribute any more.
  package internal(set) var removed = 0

  /// So many of each.
  package init(changed: Int = 0, emptied: Int = 0, appeared: Int = 0, removed: Int = 0) {
    (self.changed, self.emptied) = (changed, emptied)
    (self.appeared, self.removed) = (appeared, removed)
  }

  mutating func count(_ change: ChangedValue.Change) {
    switch change {
    case .changed: changed += 1
    case .emptied: emptied += 1
    case .appeared: appeared += 1
    case .removed: removed += 1
    }
  }
}

/// What happened to the links of one relationship.
package struct ComparedLinks: Sendable, Hashable {
  /// Links that only the second store has.
  package internal(set) var gained = 0
  /// Links that only the first store has.
  package internal(set) var lost = 0
  /// Objects whose links lead to the same objects in another order.
  package internal(set) var reordered = 0
  /// Links whose relationship the second store's model has no more.
  package internal(set) var removed = 0

  /// Nothing as yet.
  package init() {}

  mutating func count(_ link: ChangedLink) {
    gained += link.gainedCount
    if link.isRemoved { removed += link.lostCount } else { lost += link.lostCount }
    reordered += link.isReordered ? 1 : 0
  }
}

/// One entry of the metadata that differs.
package struct ChangedMetadata: Sendable, Equatable {
  /// The key; ``uuid`` for the store's identity, which is no entry of the list.
  package let key: String
  /// The first store's value, when it has one.
  package let old: PropertyList?
  /// The second store's value, when it has one.
  package let new: PropertyList?
  /// Whether the application wrote it, so that the value may be a user's data.
  package let isApplications: Bool

  /// The word that stands for the store's UUID.
  package static let uuid = "UUID"

  /// An entry by its parts.
  package init(key: String, old: PropertyList?, new: PropertyList?, isApplications: Bool) {
    self.key = key
    self.old = old
    self.new = new
    self.isApplications = isApplications
  }
}
