internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// Something that is to hold whatever objects a script is given.
struct PropertyTest {
  private let test: TestDescription
  private let bench: TestBench

  /// How many objects are made unless the test says.
  private static let usual: Int64 = 100
  /// How many failures are reported.
  private static let most = 3

  init(_ test: TestDescription, _ bench: TestBench) {
    (self.test, self.bench) = (test, bench)
  }

  /// Runs it; gives back what is wrong.
  func run() throws -> [String] {
    let plan = try bench.plan(of: test)
    let model = plan.step.from
    guard let entity = try model.entity(named: bench.entity(givenTo: plan, test)) else { return [] }
    let count = Int(test.options["objects"]?.integer ?? Self.usual)
    return try ScratchFolder.with { folder in
      let source = "\(folder)/source.sqlite"
      var generator = ObjectGenerator(entity, in: model, name: test.name)
      var given: [ObjectID] = []
      // Object by object: a few have 10 MB each, and need not be here at the same time.
      try StoreFixture.make(at: source, schema: plan.step.sourceSchema) { fixture in
        for place in 0..<count {
          given.append(try fixture.add(entity.name, generator.values(place)))
        }
      }
      try bench.keep(source, of: test)
      let external = try StoreFiles(source).externalDataFolder
      let steps = try TrialSteps(
        try bench.plan(of: test, in: source, plan), source: source, given: given,
        .init(folder: folder, external: external, onError: .skip))
      defer { steps.last.close() }
      try steps.last.run()
      return try failures(of: steps)
    }
  }

  private func failures(of steps: TrialSteps) throws -> [String] {
    let reader = try steps.reader()
    let allowed = test.texts("allow")
    var lines: [String] = []
    var count = 0
    func fail(_ id: ObjectID?, _ text: String) throws {
      count += 1
      guard count <= Self.most else { return }
      lines += TestBench.lines(text)
      guard let id else { return }
      lines.append("  given \(TestComparison.line(try reader.record(.source, id)))")
    }
    for failure in steps.failures where !allowed.contains(where: failure.message.contains) {
      try fail(nil, "\(failure)")
    }
    for failure in steps.last.failures where !allowed.contains(where: failure.message.contains) {
      try fail(ObjectID(entity: failure.entity ?? "", key: failure.key ?? 0), "\(failure)")
    }
    if test.options["check"] != nil {
      for id in steps.arrived.flatMap(\.self) {
        guard let text = try check(id, reader) else { continue }
        try fail(id, text)
      }
    }
    return count > Self.most ? lines + ["and \(count - Self.most) more"] : lines
  }

  private func check(_ id: ObjectID, _ reader: TrialReader) throws -> String? {
    let made = try reader.made(from: id).map { try Self.table(reader.record(.target, $0)) }
    // What the script failed on has made nothing; that was reported, or is allowed.
    guard !made.isEmpty || test.texts("allow").isEmpty else { return nil }
    return try bench.file.check(
      test, [Self.table(try reader.record(.source, id)), .list(made)])
  }

  /// An object as a property's function gets it: plain data.
  private static func table(_ record: ObjectRecord) throws -> LuaValue {
    var fields: [String: LuaValue] = [:]
    for cell in record.cells {
      if case .unexpected = cell.value { continue }
      fields[cell.name] = try ScriptValue.read(cell.value) { _ in [] }
    }
    for link in record.links {
      fields[link.name] = .integer(Int64(link.objects.count))
    }
    fields["entity"] = fields["entity"] ?? .text(record.id.entity)
    return .fields(fields)
  }
}
