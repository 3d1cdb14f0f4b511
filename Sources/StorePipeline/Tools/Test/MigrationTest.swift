internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// A whole pipeline on a store that is made for it, and what is expected in the new one.
struct MigrationTest {
  private let test: TestDescription
  private let bench: TestBench

  init(_ test: TestDescription, _ bench: TestBench) {
    (self.test, self.bench) = (test, bench)
  }

  /// Runs it; gives back what is wrong.
  func run() async throws -> [String] {
    let pipeline = try pipeline().withinStore
    let library = try ModelLibrary(of: pipeline)
    let planner = try Planner(pipeline: pipeline, library: library)
    let first = try test.text("from").map(library.model(named:)) ?? planner.plan().steps.first?.from
    guard let model = first else {
      throw bench.problem(test.line, "nothing says the version of the store: write from = \"...\"")
    }
    var objects = TestObjects(model)
    try objects.add(store: test.options["store"] ?? .table(.init()))
    return try await ScratchFolder.with { folder in
      let path = "\(folder)/Test.sqlite"
      try objects.make(at: path, schema: try StoreSchema(of: model))
      try bench.keep(path, of: test)
      let plan = try planner.plan(store: try Store(path))
      if let skip = Self.skip(plan) { throw skip }
      if !plan.problems.isEmpty { throw PipelineFileError(plan.problems) }
      return try await outcome(of: plan, path, folder)
    }
  }

  /// A pipeline whose decisions are still open cannot run; anything else that is wrong is reported.
  private static func skip(_ plan: Plan) -> TestResult.Skip? {
    let names = plan.steps.flatMap(\.mapping.problems).filter { $0.kind == .undecided }
      .map(\.subject)
    guard !names.isEmpty, names.count == plan.problems.count else { return nil }
    let verb = names.count == 1 ? "is" : "are"
    return TestResult.Skip(reason: "\(names.joined(separator: ", ")) \(verb) undecided")
  }

  private func pipeline() throws -> Pipeline {
    let set = (test.options["set"] ?? test.script?.options["set"])?.table
    if let name = test.text("pipeline") ?? test.script?.text("pipeline") {
      return try bench.pipeline(name, set)
    }
    if case .pipeline(let pipeline)? = bench.settings.models { return pipeline }
    throw bench.problem(
      test.line, "nothing says the pipeline: write pipeline = \"...\", or give --pipeline")
  }

  private func outcome(of plan: Plan, _ path: String, _ folder: String) async throws -> [String] {
    let options = RunOptions(work: "\(folder)/work", showsValues: true)
    var made = path
    do {
      let summary = try await Run(plan, store: path, options: options).execute()
      // Without a stage swap the new store waits elsewhere.
      if case .staged(let place) = summary.outcome { made = place }
      if summary.outcome == .swapped || made != path {
        try bench.keep(made, of: test, "-migrated")
      }
      if summary.outcome == .invalid {
        let failures = summary.failures.map {
          "\($0.entity) \($0.key), \($0.property): \($0.rule)"
        }
        return TestBench.difference(test, failures) ?? ["the new store is not valid"] + failures
      }
    } catch let error as any Error & CustomStringConvertible where !(error is PipelineFileError) {
      return TestBench.difference(test, ["\(error)"]) ?? TestBench.lines("\(error)")
    }
    if let lines = TestBench.difference(test, []) { return lines }
    return try compare(made, plan)
  }

  private func compare(_ path: String, _ plan: Plan) throws -> [String] {
    let schema = try plan.steps.last?.targetSchema ?? StoreSchema(of: plan.target)
    let store = try StoredObjects(path, schema: schema)
    let record = { (id: ObjectID) in
      try ObjectRecord(id, of: schema.model) { name in
        try store.value(name, of: id)
      } bytes: {
        try store.bytes(of: $0)
      } destinations: { name in
        try store.destinations(name, of: id)
      }
    }
    let got = try schema.model.entities.filter { !$0.isAbstract }.flatMap { entity in
      try store.all(of: entity.name).map(record)
    }
    let comparison = TestComparison(model: schema.model, look: record, isStrict: false)
    return try bench.differences(test, got, comparison)
  }
}

extension Pipeline {
  /// The same pipeline without the stages that reach beyond the store: a test has nothing to report
  /// outside.
  fileprivate var withinStore: Pipeline {
    let stages = StageRegistry.standard
    return with(
      entries.filter { entry in
        guard case .stage(let stage) = entry, let description = stages[stage.name] else {
          return true
        }
        return description.produces.contains(.replacement) || !DryRun.leavesOut(description)
      })
  }
}
