/// What a pipeline file says about the mapping; what it does not say is inferred.
package struct MappingInstructions: Sendable, Hashable {
  /// Entities and properties that have another name in the target.
  package var renames: [EntityRename] = []
  /// Entities whose objects or attributes come from somewhere else than by inference.
  package var maps: [EntityMap] = []
  /// Entities ("Visit") and properties ("Link.legacyCode") that are left behind on purpose.
  package var drops: [NamedInstruction] = []
  /// Conditions that an entity's objects must meet to be carried over.
  package var filters: [ObjectFilter] = []
  /// Which object stays where many were and one can be.
  package var choices: [LinkChoice] = []
  /// Entities and properties, by the old or the new names, that wait for a decision.
  package var undecided: [NamedInstruction] = []
  /// Patterns of what may be lost, "Photo.exif" or "Visit.*".
  package var acceptedLosses: [NamedInstruction] = []
  /// What scripts take upon themselves.
  package var scripts: [ScriptClaim] = []

  /// What gives up the rows of a table that name no entity, behind its root's name: "Note.Z_ENT".
  ///
  /// No property has a name with a capital in front.
  package static let strays = "Z_ENT"
  /// The name by which the loss of changes that wait to be exported to CloudKit is accepted.
  package static let mirror = "CloudKit"

  /// No instructions: everything is inferred.
  package init() {}
}
