/// What a script takes upon itself, so that the mapping need not have an answer.
package struct ScriptClaim: Sendable, Hashable {
  /// The source entity whose objects it is given; not those that inherit from it.
  package var entity: String
  /// The target's attributes whose values it makes.
  package var attributes: Set<String>
  /// The source's properties that it reads; what it makes of them is not called a loss.
  package var reads: Set<String>
  /// Whether it makes whole objects: everything that it is given is then in its hands.
  package var makesObjects: Bool

  /// A claim in all its parts.
  package init(
    entity: String, attributes: Set<String> = [], reads: Set<String> = [],
    makesObjects: Bool = false
  ) {
    self.entity = entity
    self.attributes = attributes
    self.reads = reads
    self.makesObjects = makesObjects
  }
}
