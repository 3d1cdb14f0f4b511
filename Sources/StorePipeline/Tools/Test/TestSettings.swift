/// What the tests of scripts are given from outside.
package struct TestSettings: Sendable {
  /// The models, where a test file names none; nil for none.
  package var models: TrialModels?
  /// Whether golden files are made to hold what is got.
  package var updatesGolden: Bool
  /// The environment, for pipeline files.
  package var environment: [String: String]
  /// The folder where the tests' stores stay; nil where none do.
  package var keep: String?

  /// Settings; without any, each file names its models.
  package init(
    models: TrialModels? = nil, updatesGolden: Bool = false, environment: [String: String] = [:],
    keep: String? = nil
  ) {
    self.keep = keep
    self.models = models
    self.updatesGolden = updatesGolden
    self.environment = environment
  }
}
