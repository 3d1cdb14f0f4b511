package import CoreDataStore

/// What happened to the values of one attribute, or the links of one relationship, of one entity's
/// objects: counted in both stores.
package struct PropertyLoss: Sendable, Hashable {
  /// What was to happen to them.
  package enum Fate: String, Sendable, Hashable, CaseIterable {
    /// They have their place under the name they had.
    case kept
    /// They have their place under another name.
    case moved
    /// They are computed from others, before or from now on.
    case derived
    /// A script decides.
    case scripted
    /// The new store has no place for them.
    case dropped
  }

  /// The entity's name in the source.
  package let entity: String
  /// The property's name in the source.
  package let property: String
  /// Whether it is a relationship, and not an attribute.
  package let isRelationship: Bool
  /// What was to happen to them.
  package let fate: Fate
  /// Where they have their place, or where those of a script were found.
  package var places: [PropertyReference] = []
  /// How many there were; links that led nowhere are not among them.
  package var values = 0
  /// How many are there, the same or in a form from which the old one follows.
  package var arrived = 0
  /// How many are there as another value, from which the old one does not follow.
  package var changed = 0
  /// How many are not there, although the object is, or for links both objects.
  package var emptied = 0
  /// How many are not there, because the object is not, or for links one of the two.
  package var gone = 0
  /// How many links led nowhere before.
  package var dangling = 0
  /// Whether the links are counted with this relationship, and not with its inverse.
  package var isCountedHere = true

  /// A property of which nothing is counted yet.
  package init(entity: String, property: String, isRelationship: Bool, fate: Fate) {
    self.entity = entity
    self.property = property
    self.isRelationship = isRelationship
    self.fate = fate
  }

  /// How many are lost; unknown for what a script or a computation decides.
  package var lost: Int {
    switch fate {
    case .kept, .moved: changed + emptied + gone
    case .dropped: values
    case .derived, .scripted: 0
    }
  }
}
