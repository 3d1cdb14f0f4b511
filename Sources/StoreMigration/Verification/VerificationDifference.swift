/// One place where a new store is not what its source makes of it.
package struct VerificationDifference: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The source has the object, and the new store has not.
    case missing = "is not in the new store"
    /// The new store has the object, and nothing in the source makes it.
    case extra = "comes from nothing in the source"
    /// The value is not what the source's value becomes.
    case value = "is not what the source's value becomes"
    /// The link is not what the source's link becomes.
    case link = "does not lead where the source's link leads"
    /// The link leads to the right object, which has another place among the others.
    case order = "leads where the source's link leads, at another place in the order"
    /// The file of a large value is not the source's.
    case blob = "has a file that differs from the source's"
    /// The mirrors of the two stores differ: only one has a record that finds the object.
    case record = "has a CloudKit record in only one of the two stores"
    /// The value is not what a script or stage makes of the same object now.
    case script = "is not what is made when it is done again"
    /// A script makes another value each time.
    case unrepeated = "is another one each time the script runs"
    /// The source has the object, and a store that was written since the run has not.
    case deleted = "is not in the store any more: it was deleted after the run, or lost"
    /// The key was given out after the run.
    case made = "was made after the run"
  }

  /// The object's entity: of the new store, for a missing object of the source.
  package var entity: String
  /// The object's key, Z_PK; of the source for a missing object.
  package var key: Int64
  /// The property; empty where the whole object is meant.
  package var property: String
  package var kind: Kind
  /// Whether an application has made or saved the object after the run, which explains it.
  package var isSince = false

  /// A difference in all its parts.
  package init(_ kind: Kind, _ entity: String, _ key: Int64, _ property: String = "") {
    (self.kind, self.entity, self.key, self.property) = (kind, entity, key, property)
  }

  /// The difference in words, without the object.
  package var rule: String {
    let isSaved = isSince && kind != .made
    return kind.rawValue + (isSaved ? "; the object was saved again after the run" : "")
  }
}
