internal import CoreDataStore
package import StoreMigration

/// What a preflight found for one version on the way.
package struct VersionPreflight: Sendable {
  /// The version whose rules they are.
  package let version: String
  /// How many steps lead there.
  package let steps: Int
  /// Whether it is the last version, which the new store will have.
  package let isLast: Bool
  /// What was found.
  package let result: PreflightResult

  /// What was found, in all its parts.
  package init(version: String, steps: Int, isLast: Bool, result: PreflightResult) {
    self.version = version
    self.steps = steps
    self.isLast = isLast
    self.result = result
  }
}

extension [VersionPreflight] {
  /// How many objects a run would refuse: those that break rules of the last version, and those
  /// whose values a step before cannot convert.
  package var errors: Int {
    (last?.result.errors ?? 0) + dropLast().reduce(0) { $0 + $1.result.misfits }
  }
}
