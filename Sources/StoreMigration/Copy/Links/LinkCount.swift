package import CoreDataStore

/// What became of the links of one relationship.
package struct LinkCount: Sendable, Hashable {
  /// The relationship of the target.
  package var relationship: PropertyReference
  /// Links given up because the relationship leads to one object and there were several.
  package var discarded: Int
  /// Links given up because the object at the other end is not in the result.
  package var dangling: Int
  /// Links of objects of which a script made several: the first alone has them.
  package var several: Int
  /// Links that the new store has of the source's, those that travelled with their rows included.
  package var kept: Int

  /// A count in all its parts.
  package init(
    relationship: PropertyReference, discarded: Int = 0, dangling: Int = 0, several: Int = 0,
    kept: Int = 0
  ) {
    self.relationship = relationship
    self.discarded = discarded
    self.dangling = dangling
    self.several = several
    self.kept = kept
  }

  /// The numbers as a progress row keeps them.
  var state: [UInt8] { Array("\(discarded) \(dangling) \(several) \(kept)".utf8) }

  /// A count from a progress row.
  init(relationship: PropertyReference, state: [UInt8]?) {
    let numbers = String(decoding: state ?? [], as: UTF8.self).split(separator: " ")
      .map { Int($0) ?? 0 }
    self.init(relationship: relationship)
    guard numbers.count == 4 else { return }
    (discarded, dangling) = (numbers[0], numbers[1])
    (several, kept) = (numbers[2], numbers[3])
  }
}
