/// What a plan is given from outside, in addition to the pipeline.
public struct PlanSettings: Sendable, Equatable {
  /// Patterns of what may be lost, as `--accept-loss` gives them: "Photo.exif", "Visit.*", "*".
  public var acceptedLosses: [String]
  /// Whether a store of the target version already is taken through a step all the same.
  public var force: Bool
  /// Whether the store is looked through for object URIs; a run has no use for them.
  public var looksForURIs = true

  /// Settings; without any, every loss has to be declared in the file.
  public init(acceptedLosses: [String] = [], force: Bool = false) {
    self.acceptedLosses = acceptedLosses
    self.force = force
  }
}
