internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// Objects given to a script, and what it is expected to make of them.
struct CaseTest {
  private let test: TestDescription
  private let bench: TestBench

  init(_ test: TestDescription, _ bench: TestBench) {
    (self.test, self.bench) = (test, bench)
  }

  /// Runs the case; gives back what is wrong.
  func run() throws -> [String] {
    let plan = try bench.plan(of: test)
    var objects = TestObjects(plan.step.from)
    let given = try objects.add(
      bench.entity(givenTo: plan, test), test.options["given"] ?? .null, at: "given")
    return try ScratchFolder.with { folder in
      let source = "\(folder)/source.sqlite"
      try objects.make(at: source, schema: plan.step.sourceSchema)
      try bench.keep(source, of: test)
      let external = try StoreFiles(source).externalDataFolder
      do {
        let steps = try TrialSteps(
          try bench.plan(of: test, in: source, plan), source: source, given: given,
          .init(folder: folder, external: external, onError: .stop))
        defer { steps.last.close() }
        try steps.last.run()
        return try outcome(of: steps)
      } catch let failure as ScriptFailure {
        return TestBench.difference(test, ["\(failure)"]) ?? TestBench.lines("\(failure)")
      }
    }
  }

  private func outcome(of steps: TrialSteps) throws -> [String] {
    let step = steps.last
    let failures = steps.failures + step.failures
    if let lines = TestBench.difference(test, failures.map { "\($0)" }) { return lines }
    let reader = try steps.reader()
    let got = try made(step.step, reader, Set(steps.arrived.flatMap(\.self)))
    let comparison = TestComparison(model: step.step.to) { try reader.record(.target, $0) }
    var lines = warnings(of: step)
    lines += try bench.differences(test, got, comparison)
    guard !lines.isEmpty else { return [] }
    return lines + failures.map { "rejected: \($0.message), while \($0.doing)" }
  }

  private func warnings(of step: TrialStep) -> [String] {
    guard let wanted = test.text("warning") else { return [] }
    let got = step.warnings.filter { !$0.isPrinted }.map(\.message)
    guard !got.contains(where: { $0.contains(wanted) }) else { return [] }
    return [
      "expected  a warning with \(LuaText.quoted(wanted))",
      "got       " + (got.isEmpty ? "none" : got.joined(separator: ", ")),
    ]
  }

  /// The objects that came of the given ones, and those that came of none; not those of the
  /// objects that the given ones lead to.
  private func made(
    _ step: PlannedStep, _ reader: TrialReader, _ given: Set<ObjectID>
  ) throws -> [ObjectRecord] {
    try step.to.entities.filter { !$0.isAbstract }.flatMap { entity in
      try reader.all(of: entity.name).filter { object in
        let sources = try reader.sources(of: object)
        return sources.isEmpty || sources.contains(where: given.contains)
      }.map { try reader.record(.target, $0) }
    }
  }
}
