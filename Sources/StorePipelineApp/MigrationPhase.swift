public import Foundation

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
