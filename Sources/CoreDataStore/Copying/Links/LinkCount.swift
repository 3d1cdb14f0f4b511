/// What became of the links of one relationship.
package struct LinkCount: Sendable, Hashable {
  /// The relationship of the target.
  package var relationship: PropertyReference
  /// Links given up because the relationship leads to one object and there were several.
  package var discarded: Int
  /// Links given up because the object at the other end is not in the result.
  package var dangling: Int
  /// Links written by the pass for links; those that travelled with their rows are not counted.
  package var kept: Int

  /// A count in all its parts.
  package init(
    relationship: PropertyReference, discarded: Int = 0, dangling: Int = 0, kept: Int = 0
  ) {
    self.relationship = relationship
    self.discarded = discarded
    self.dangling = dangling
    self.kept = kept
  }

  /// The numbers as a progress row keeps them.
  var state: [UInt8] { Array("\(discarded) \(dangling) \(kept)".utf8) }

  /// A count from a progress row.
  init(relationship: PropertyReference, state: [UInt8]?) {
    let numbers = String(decoding: state ?? [], as: UTF8.self).split(separator: " ")
      .map { Int($0) ?? 0 }
    self.init(relationship: relationship)
    guard numbers.count == 3 else { return }
    (discarded, dangling, kept) = (numbers[0], numbers[1], numbers[2])
  }
}
