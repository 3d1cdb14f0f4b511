/// A run that does everything but the swap, in a folder of its own that goes with it.
///
/// Nothing next to the store is touched, an interrupted run of the same store included. Stages that
/// touch files, programs or the store itself are left out.
public struct DryRun: Sendable, Hashable {
  /// How many objects of each entity are taken, with those that they lead to; nil for the whole
  /// store.
  public var sample: Int?
  /// Where the result is kept; nil when it goes, too.
  public var keep: String?

  /// A dry run.
  public init(sample: Int? = nil, keep: String? = nil) {
    self.sample = sample
    self.keep = keep
  }

  /// Whether a stage has no part in it: it builds nothing, and changes what outlives the run.
  static func leavesOut(_ stage: StageDescription) -> Bool {
    !stage.touches.contains(.destination)
      && !stage.touches.isDisjoint(with: [.files, .store, .programs])
  }
}
