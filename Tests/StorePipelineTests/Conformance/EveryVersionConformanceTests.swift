import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Every store, to every version known of its model", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)))
struct EveryVersionConformanceTests {
  /// How an attempt ended.
  private enum Outcome {
    /// The new store is right.
    case made
    /// The store has the version already.
    case current
    /// Something is to be settled in a pipeline file first.
    case problems([String])
    /// The version comes after the target, or has nothing to do with it.
    case refused
    /// What must not be.
    case faults([String])

    var text: String {
      switch self {
      case .made: "made"
      case .current: "is there"
      case .problems(let subjects): "to be settled: \(subjects.joined(separator: ", "))"
      case .refused: "refused"
      case .faults(let faults): "WRONG: \(faults.joined(separator: "; "))"
      }
    }

    /// Whether a version at this distance from the store's may end so.
    func fits(_ distance: Int) -> Bool {
      switch self {
      case .refused: distance < 0
      case .current: distance == 0
      case .made, .problems: distance > 0
      case .faults: false
      }
    }
  }

  /// A version to migrate to: of a folder of models, or the one that a store keeps of itself.
  private struct Target {
    let models: String
    let version: String?
    /// Where it stands from the store's own version on, negative before it; nil where none can say.
    var distance: Int?

    var name: String { version ?? URL(filePath: models).lastPathComponent }
  }

  private static let models = CorpusStore.paths(endingIn: ".xcdatamodeld", ".momd")

  /// The versions of the models that know the store, and those of the stores next to it.
  private static func targets(of name: String, _ store: CorpusStore) throws -> [Target] {
    let opened = try Store(store.path)
    var targets: [Target] = []
    for path in try models.map(CorpusStore.file) {
      guard let source = try? ModelSource([path]),
        let found = try? opened.recognise(among: source), found.known == .file,
        let own = found.model.flatMap({ source.versions.firstIndex(of: $0.name) })
      else { continue }
      targets += source.versions.enumerated().map {
        Target(models: path, version: $1, distance: $0 - own)
      }
    }
    let folder = name.prefix { $0 != "/" }
    let beside = CorpusStore.all.filter { $0 != name && $0.hasPrefix(folder + "/") }
      .filter { !CorpusStore.withoutModel.contains($0) }
    let own = try beside.map { name in
      // Nothing of the corpus is opened where it lies: SQLite may write there.
      let copy = "of " + URL(filePath: name).lastPathComponent
      return Target(models: try CorpusStore(name, as: copy).path, version: nil)
    }
    return targets + own
  }

  private static func attempt(_ target: Target, _ store: CorpusStore) async throws -> Outcome {
    let pipeline = try CorpusStore.inferring([target.models], to: target.version)
    let plan: Plan
    do {
      plan = try store.plan(pipeline)
    } catch let error as Failure {
      // A newer store, or one that has nothing in common with the target: statuses of 3.
      return error.kind == .unusable ? .refused : .faults([error.description])
    }
    guard !plan.isCurrent else { return .current }
    guard plan.problems.isEmpty else {
      let settled = ["Say so in ", "\nAnswers:\n", "\nOne answer: "]
      let vague = plan.problems.filter { problem in
        !settled.contains { problem.message.contains($0) }
      }
      guard vague.isEmpty else { return .faults(vague.map(\.message)) }
      return .problems(plan.problems.map { String($0.message.prefix { $0 != ":" }) })
    }
    let output = TemporaryFolder.url.appending(path: "\(UUID().uuidString).sqlite").path
    let summary = try await Run(plan, store: store.path, options: RunOptions(output: output))
      .execute()
    if summary.outcome == .invalid, summary.failures.allSatisfy({ $0.rule == "mandatory" }) {
      // Core Data infers it as well, and ends at an object without a value.
      return .problems(summary.failures.map { "\($0.entity).\($0.property)" })
    }
    guard summary.outcome == .written(output), let step = plan.steps.first else {
      return .faults(["ended as \(summary.outcome)", "\(summary.failures)"])
    }
    let faults =
      try MadeStore(output).faults(of: plan.target)
      + CopiedRows(store.path, output, step).faults()
    return faults.isEmpty ? .made : .faults(faults)
  }

  @Test("is migrated rightly, or refused with what settles it", arguments: CorpusStore.all)
  func every(name: String) async throws {
    guard !CorpusStore.withoutModel.contains(name) else { return }
    let store = try CorpusStore(name)
    let before = try StoreRows.tables(at: store.path)
    var outcomes: [String] = []
    for target in try Self.targets(of: name, store) {
      let outcome = try await Self.attempt(target, store)
      if case .faults(let faults) = outcome {
        Issue.record("\(name) to \(target.name): \(faults.joined(separator: "\n"))")
      }
      if let distance = target.distance {
        #expect(outcome.fits(distance), "\(name) to \(target.name)")
      }
      outcomes.append("\(target.name) \(outcome.text)")
    }
    print("versions: \(name): \(outcomes.joined(separator: "; "))")
    #expect(!outcomes.isEmpty)
    #expect(try StoreRows.tables(at: store.path) == before)
  }
}
