/// What a script takes upon itself, so that the mapping need not have an answer.
public struct ScriptClaim: Sendable, Hashable {
  /// The source entity whose objects it is given; not those that inherit from it.
  public var entity: String
  /// The target's attributes whose values it makes.
  public var attributes: Set<String>
  /// The source's properties that it reads; what it makes of them is not called a loss.
  public var reads: Set<String>
  /// Whether it makes whole objects: everything that it is given is then in its hands.
  public var makesObjects: Bool

  /// A claim in all its parts.
  public init(
    entity: String, attributes: Set<String> = [], reads: Set<String> = [],
    makesObjects: Bool = false
  ) {
    self.entity = entity
    self.attributes = attributes
    self.reads = reads
    self.makesObjects = makesObjects
  }
}
