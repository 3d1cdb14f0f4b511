internal import Formats
public import Foundation
internal import StorePipeline
internal import Synchronization

/// What a migration is doing, for an app that says it in its own words.
public enum MigrationPhase: String, Sendable, CaseIterable {
  /// The store is looked at and copied.
  case preparing
  /// Objects are made for the new version.
  case updating
  /// The new store is checked.
  case checking
  /// The new store takes the place of the old one.
  case replacing

  /// What it says to the people who wait, in English.
  public var text: String {
    switch self {
    case .preparing: "Preparing to update your data"
    case .updating: "Updating your data"
    case .checking: "Checking the updated data"
    case .replacing: "Finishing the update"
    }
  }
}

extension ProgressUserInfoKey {
  /// The ``MigrationPhase`` of a migration's progress.
  public static let migrationPhase = ProgressUserInfoKey("pipeline.migrationPhase")
}

extension Progress {
  /// What the migration that reports here is doing; nil before it begins.
  public var migrationPhase: MigrationPhase? { userInfo[.migrationPhase] as? MigrationPhase }
}

/// Makes one fraction of all that a run reports.
///
/// The run reports on its own thread, object by object: the progress is set when a thousandth is done.
final class MigrationProgress: Sendable {
  /// The units of a progress that is reported here, from its beginning to its end.
  static let units: Int64 = 1000

  private let progress: Progress
  private let state: Mutex<State>

  private struct State {
    var fraction: RunFraction
    var phase = MigrationPhase.preparing
    /// What was reported last.
    var units: Int64 = -1
    var objects = 0
  }

  init(_ progress: Progress, _ plan: Plan) {
    self.progress = progress
    state = Mutex(State(fraction: RunFraction(plan, stages: .standard)))
    progress.totalUnitCount = Self.units
    progress.show(MigrationPhase.preparing.text, "")
  }

  /// Takes an event of the run.
  func take(_ event: ProgressEvent) {
    let change: State? = state.withLock { state in
      let phase = state.phase
      state.fraction.take(event)
      if event.kind == .stageStarted { state.phase = Self.phase(of: event.stage ?? "", phase) }
      let units = Int64(state.fraction.value * Double(Self.units))
      guard units > state.units || state.phase != phase else { return nil }
      state.units = max(units, state.units)
      return state
    }
    if let change { report(change) }
  }

  private func report(_ state: State) {
    progress.setUserInfoObject(state.phase, forKey: .migrationPhase)
    progress.show(state.phase.text, Self.text(state.fraction.objects, state.fraction.objectsInAll))
    // Two threads never report: a run has one. A resumed migration begins where it was.
    progress.completedUnitCount = max(progress.completedUnitCount, state.units)
  }

  /// "1,200 of 40,000", in the digits of the user's language.
  private static func text(_ done: Int, _ all: Int) -> String {
    all > 0 ? "\(done.formatted()) / \(all.formatted())" : ""
  }

  /// Links belong to the objects, and what has no phase of its own changes none.
  private static func phase(of stage: String, _ phase: MigrationPhase) -> MigrationPhase {
    switch stage {
    case "detect", "open", "backup": .preparing
    case "copy", "transform", "connect": .updating
    case "finish", "validate", "verify", "compare": .checking
    case "swap": .replacing
    default: phase
    }
  }
}
