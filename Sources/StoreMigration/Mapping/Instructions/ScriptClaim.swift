/// What a script takes upon itself, so that the mapping need not have an answer.
package struct ScriptClaim: Sendable, Hashable {
  /// The source entity whose objects it is given; not those that inherit from it.
  package var entity: String
  /// The target's attributes whose values it makes.
  package var attributes: Set<String>
  /// The source's properties that it reads; what it makes of them is not called a loss.
  package var reads: Set<String>
  /// Whether it makes whole objects: everything of them that it mentions is then in its hands.
  package var makesObjects: Bool
  /// The names that it mentions, as fields of an object or as texts; nil where that is not known.
  package var mentions: Set<String>?
  /// Where it is, as the pipeline file names it.
  package var path: String?

  /// A claim in all its parts.
  package init(
    entity: String, attributes: Set<String> = [], reads: Set<String> = [],
    makesObjects: Bool = false, mentions: Set<String>? = nil, path: String? = nil
  ) {
    self.entity = entity
    self.attributes = attributes
    self.reads = reads
    self.makesObjects = makesObjects
    self.mentions = mentions
    self.path = path
  }

  /// Whether a property, by one of these names, is taken care of.
  func takes(_ names: [String]) -> Bool {
    let isMentioned = makesObjects && mentions?.isDisjoint(with: names) != true
    return isMentioned || !reads.isDisjoint(with: names)
  }
}
