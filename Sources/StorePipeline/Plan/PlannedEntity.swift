package import StoreMigration

/// How the objects of one entity travel.
public struct PlannedEntity: Sendable, Hashable {
  /// The ways there are.
  public enum Way: String, Sendable, Hashable, CaseIterable {
    /// Its rows stay as they are.
    case kept
    /// SQL carries them over.
    case copied
    /// A script makes them, or some of their values.
    case scripted
    /// The target has it and the source has not.
    case added
    /// The source has it and the target has not.
    case dropped
  }

  /// The entity's name in the source; nil when it is added.
  public let source: String?
  /// The entity's name in the target; nil when it is dropped, or when a script alone decides.
  public let target: String?
  /// The way its objects travel.
  public let how: Way
  /// The same as the run carries it out; nil where no object travels, or only a store shows it.
  package internal(set) var way: CopyWay?
  /// How many objects there are; nil where that is unknown.
  public let rows: Int64?
  /// Whether that is an estimate, of a store of which only a part was read.
  public internal(set) var isEstimate = false
  /// What they take in the store; nil where that is unknown.
  public let bytes: Int64?
  /// Where the values of the target's attributes come from.
  public let attributes: [PlannedAttribute]
  /// What does not arrive.
  public let lost: [PlannedLoss]

  /// An entity in all its parts.
  package init(
    source: String?, target: String?, how: Way, rows: Int64?, bytes: Int64?,
    attributes: [PlannedAttribute], lost: [PlannedLoss]
  ) {
    self.source = source
    self.target = target
    self.how = how
    self.rows = rows
    self.bytes = bytes
    self.attributes = attributes
    self.lost = lost
  }
}

/// Where the values of one attribute of the target come from.
public struct PlannedAttribute: Sendable, Hashable {
  /// The attribute's name in the target.
  public let name: String
  /// The attribute of the source, or the value itself; nil when neither is there.
  public let from: String?
  /// The rule that says so, `same` or `converted`.
  public let rule: String
  /// More about the rule: what a conversion does, what takes the place of NULL.
  public let detail: String?

  /// An attribute in all its parts.
  package init(name: String, from: String?, rule: String, detail: String? = nil) {
    self.name = name
    self.from = from
    self.rule = rule
    self.detail = detail
  }
}

/// A property of the source that does not arrive, or an entity's objects.
public struct PlannedLoss: Sendable, Hashable {
  /// "Note.done", or an entity alone.
  public let name: String
  /// How many objects have a value there; nil where that is unknown.
  public let values: Int64?
  /// Whether the file or a flag says that it may go.
  public let isDeclared: Bool

  /// A loss in all its parts.
  package init(name: String, values: Int64?, isDeclared: Bool) {
    self.name = name
    self.values = values
    self.isDeclared = isDeclared
  }
}
