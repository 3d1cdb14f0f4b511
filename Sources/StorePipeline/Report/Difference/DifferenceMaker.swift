internal import CoreDataStore
package import StoreMigration

/// Compares two stores and makes the report of it.
package struct DifferenceMaker {
  /// The store as it was, and as it is.
  package let first: ComparedStore
  package let second: ComparedStore
  package var choices = ComparisonChoices()
  /// How much of the values is shown.
  package var display = ValueDisplay.short
  /// How much is reported one by one.
  package var limits = DifferenceCollector.Limits()
  /// Where what the second store's model has no property for was given: in words, by the second
  /// store's entity and the first one's property.
  package var given: [String: [String: String]] = [:]
  /// Whether pictures are wanted.
  package var showsImages = true

  package init(_ first: ComparedStore, _ second: ComparedStore) {
    (self.first, self.second) = (first, second)
  }

  /// Compares; `before` and `after` are the stores as the report names them.
  ///
  /// - Throws: what ``StoreComparison`` and `progress` throw.
  package func report(
    before: DifferenceReport.Side, after: DifferenceReport.Side,
    progress: (ComparisonProgress) throws -> Void = { _ in }
  ) throws -> DifferenceReport {
    var collector = DifferenceCollector(display: display, limits: limits, given: given)
    var choices = choices
    choices.contentLimit = collector.contentLimit(showsImages: showsImages)
    let difference = try StoreComparison(first, second, choices: choices)
      .run({ try collector.add($0) }, progress: progress)
    return collector.report(
      difference, before: before, after: after, models: try models(before, after))
  }

  /// What happened between the models, unless they are one.
  private func models(
    _ before: DifferenceReport.Side, _ after: DifferenceReport.Side
  ) throws -> ModelDifferenceReport? {
    let (old, new) = (first.schema.model, second.schema.model)
    guard VersionHashes(of: old).entities != VersionHashes(of: new).entities else { return nil }
    return ModelDifferenceReport(
      from: try old.named(before.version), to: try new.named(after.version))
  }
}

extension Model {
  /// The same model under another name.
  fileprivate func named(_ name: String) throws -> Model {
    try Model(
      name: name, entities: entities, versionIdentifiers: versionIdentifiers,
      configurations: configurations, fetchRequests: fetchRequests, recordedHashes: recordedHashes)
  }
}
