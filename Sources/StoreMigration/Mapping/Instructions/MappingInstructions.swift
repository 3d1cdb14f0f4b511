/// What a pipeline file says about the mapping; what it does not say is inferred.
public struct MappingInstructions: Sendable, Hashable {
  /// Entities and properties that have another name in the target.
  public var renames: [EntityRename] = []
  /// Entities whose objects or attributes come from somewhere else than by inference.
  public var maps: [EntityMap] = []
  /// Entities ("Visit") and properties ("Link.legacyCode") that are left behind on purpose.
  public var drops: [NamedInstruction] = []
  /// Conditions that an entity's objects must meet to be carried over.
  public var filters: [ObjectFilter] = []
  /// Which object stays where many were and one can be.
  public var choices: [LinkChoice] = []
  /// Patterns of what may be lost, "Photo.exif" or "Visit.*".
  public var acceptedLosses: [NamedInstruction] = []
  /// What scripts take upon themselves.
  public var scripts: [ScriptClaim] = []

  /// What gives up the rows of a table that name no entity, behind its root's name: "Note.Z_ENT".
  ///
  /// No property has a name with a capital in front.
  package static let strays = "Z_ENT"

  /// No instructions: everything is inferred.
  public init() {}
}
