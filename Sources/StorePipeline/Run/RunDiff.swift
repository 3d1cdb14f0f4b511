internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement

/// Compares what a run has read with what it has made, and counts what was lost.
struct RunDiff {
  /// What was found.
  struct Result {
    let difference: DifferenceReport
    /// What happened to every value and link.
    let losses: [PropertyLoss]
  }

  let plan: Plan
  let folder: WorkFolder
  let options: RunOptions
  /// The path of the store as it was given.
  let store: String
  /// What a walk over the pages of what was read has shown; nil where there was none.
  let walk: StoreMoment.Walk?

  private var mappings: [Mapping] { plan.steps.map(\.mapping) }

  /// Compares the new store, `path`, with what was read; without steps there is nothing to compare.
  ///
  /// - Throws: `Failure`, and `CancellationError` when the run is cancelled.
  func result(_ path: String, _ log: RunLog) throws -> Result? {
    guard let first = plan.steps.first, let last = plan.steps.last else { return nil }
    let external = try StoreFiles(folder.store).externalDataFolder
    let source = VerifiedStore(
      path: folder.sourcePath, schema: first.sourceSchema, externalFolders: [external])
    let target = VerifiedStore(
      path: path, schema: last.targetSchema, externalFolders: [folder.nextExternals, external])
    let associations = try RunAssociations.file(
      in: folder, mappings, [first.sourceSchema] + plan.steps.map(\.targetSchema))
    let count = try LossCount(
      of: source, in: target, mappings, associations: associations, walk: walk)
    let losses = try count.run { entity in
      log.progress(entity: entity, rows: 0, total: nil, bytes: 0)
      try Task.checkCancellation()
    }
    return Result(
      difference: try difference(source, target, associations, count, losses, last, log),
      losses: losses)
  }

  private func difference(
    _ source: VerifiedStore, _ target: VerifiedStore, _ associations: String?,
    _ count: LossCount, _ losses: [PropertyLoss], _ last: PlannedStep, _ log: RunLog
  ) throws -> DifferenceReport {
    var maker = DifferenceMaker(
      try ComparedStore(ofRun: source), try ComparedStore(ofRun: target))
    maker.choices = choices
    maker.choices.associations = associations
    maker.choices.sameTables = count.sameTables
    maker.choices.keptColumns = count.keptColumns
    maker.given = given(to: losses, maker.choices.pairs)
    maker.display = options.values
    if let limit = options.listed { maker.limits.objects = limit }
    maker.showsImages = options.listed == nil
    return try maker.report(
      before: .init(path: store, version: plan.source?.name ?? source.schema.model.name),
      after: .init(path: options.dryRun?.keep ?? options.output ?? store, version: last.to.name)
    ) { progress in
      log.progress(entity: progress.entity, rows: progress.rows, total: nil, bytes: 0)
      try Task.checkCancellation()
    }
  }

  /// What happened to the values and links that scripts were given, by the entity that has the
  /// objects at the end.
  private func given(
    to losses: [PropertyLoss], _ pairs: [String: String]
  ) -> [String: [String: String]] {
    let scripted = Dictionary(grouping: losses.filter { $0.fate == .scripted }, by: \.entity)
    return pairs.compactMapValues { source in
      scripted[source].map { found in
        Dictionary(found.map { ($0.property, $0.placeWords) }) { first, _ in first }
      }
    }
  }

  /// The pairs of entities and properties that the file says, in addition to those that names say.
  private var choices: ComparisonChoices {
    var choices = ComparisonChoices()
    guard let model = plan.steps.first?.sourceSchema.model else { return choices }
    let courses = model.entities.map { EntityCourse(of: $0.name, through: mappings) }
    for (target, found) in Dictionary(grouping: courses, by: \.target) {
      guard let target, let course = found.first(where: { $0.source == target }) ?? found.first
      else { continue }
      choices.pairs[target] = course.source
      var properties: [String: String] = [:]
      for (name, places) in course.attributes {
        for place in places { properties[place] = name }
      }
      for (name, place) in links(of: course.source, in: model) { properties[place] = name }
      choices.properties[target] = properties
    }
    return choices
  }

  /// What the relationships of an entity are called at the end, those that it inherits included.
  private func links(of entity: String, in model: Model) -> [(name: String, place: String)] {
    guard let entity = model.entity(named: entity) else { return [] }
    return model.allRelationships(of: entity).compactMap { relationship in
      let owner = model.relationship(named: relationship.name, of: entity)?.declaredBy ?? entity
      let reference = PropertyReference(owner.name, relationship.name)
      let end = EntityCourse.end(of: reference, through: mappings).target
      return end.map { (relationship.name, $0.property) }
    }
  }
}

// The report of a run.
extension RunSession {
  /// Says how to see what a report of a store that is up to date cannot show: the run that made the
  /// store may have been killed before it had written its own.
  func warnOfAbsentChanges(_ outcome: RunSummary.Outcome) {
    guard case .upToDate = outcome, let path = options.report,
      (try? RunReportFile(path))?.isThere == false,
      let record, let made = recordedRun, made == basis.earlier,
      let backup = record["backup"]?.string
    else { return }
    let old = "\(backup)/\(URL(filePath: folder.store).lastPathComponent)"
    let models = plan.pipeline.models.flatMap { ["--models", plan.pipeline.resolve($0)] }
    let command = SuggestedCommand.text(["diff", old, folder.store] + models)
    log.warn("the report has no changes: the run \(made) has made them. To see them: \(command)")
  }

  private var record: JSONValue? {
    (try? folder.record()).flatMap { try? JSONValue(reading: $0, limits: .json) }
  }

  /// The run that has left its record last, at its very end.
  var recordedRun: String? { record?["run"]?.string }

  /// The report of the run as far as it is; nil where it was not asked for.
  func report(of summary: RunSummary) -> DifferenceReport? {
    guard wantsDifference else { return nil }
    let losses = tally.found.map { LossSources(plan, rejected: tally.rejected).report($0.losses) }
    return RunReport(
      summary: summary, difference: tally.found?.difference, losses: losses,
      rejects: tally.rejects
    ).report
  }

  /// A run that finds the store current has no lock, while the one that has made it so, or another
  /// such run, may be writing the same report.
  private func lockingWhenCurrent(
    _ outcome: RunSummary.Outcome, _ body: () throws -> Void
  ) throws {
    guard case .upToDate = outcome, place == nil, try FileEntry.at(folder.lockPath) != nil else {
      return try body()
    }
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    try body()
  }

  /// Writes the report; the new store may be in its place already, so that nothing fails by it.
  func write(_ report: DifferenceReport?, _ summary: RunSummary) {
    guard let path = options.report, let report else { return }
    do {
      let file = try RunReportFile(path)
      // How the store became what it is says more than that it is up to date.
      func isSaid() -> Bool { if case .upToDate = summary.outcome { file.isThere } else { false } }
      guard !isSaid() else { return }
      try lockingWhenCurrent(summary.outcome) {
        guard !isSaid() else { return }
        try file.write(report, of: [summary.run, basis.earlier].compactMap(\.self))
      }
    } catch {
      log.warn(error)
    }
  }
}
