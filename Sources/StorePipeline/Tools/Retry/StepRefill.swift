internal import CoreDataStore
internal import StoreMigration

/// Makes objects in the store of one step, with their links, of those that the step reads: by the
/// step's scripts, or by its mapping.
struct StepRefill {
  /// An object that was rejected, and the step whose script did it.
  struct Origin: Hashable {
    let step: Int
    let object: ObjectID
  }

  /// What happened to the objects of the step.
  struct Result {
    /// What was made, each with the object that it came from; nil for what a script made from none.
    var made: [ObjectID: Origin?] = [:]
    /// Those that the script failed on.
    var failed: [Reject] = []
    /// Those of which nothing was made, and which the script did not fail on.
    var leftOut: Set<ObjectID> = []
  }

  let step: PlannedStep
  let builder: StoreBuilder
  /// The objects that the step is given.
  let objects: [ObjectID: Origin?]
  /// The run that rejected them: scripts see its date.
  let earlier: RunID
  /// The file of those that fail again.
  let rejectsPath: String
  let help: StoreRefill.Help

  /// The objects by their entity, each list in the order of keys.
  private var keys: [String: [Int64]] {
    Dictionary(grouping: objects.keys, by: \.entity).mapValues { $0.map(\.key).sorted() }
  }

  /// Makes the objects by scripts and mapping, then their links.
  func run() throws -> Result {
    let keys = keys
    let entities = keys.keys.sorted()
    let copies = try Dictionary(
      uniqueKeysWithValues: entities.map { ($0, try ScriptedCopy(builder, entity: $0)) })
    let taken = try Set(
      objects.keys.compactMap { copies[$0.entity]?.namesake(of: $0) }
        .filter { try copies.values.first?.has($0) == true })
    let scripts = try step.scripts.filter { $0.outline.needsLua && keys[$0.entity] != nil }.map(
      make)
    for entity in entities where !step.claims(entity) {
      guard let copy = copies[entity], step.mapping.objects(from: entity)?.isAbstract == false
      else { continue }
      while try copy.chunk(state: { nil }, copy.makeRetried) {}
    }
    if let copy = entities.first.flatMap({ copies[$0] }) { try link(copy, keys) }
    for script in scripts { try script.relate(help.log.progress) }
    for script in scripts { try script.finish() }
    return try result(copies, taken)
  }

  private func link(_ copy: ScriptedCopy, _ keys: [String: [Int64]]) throws {
    let sources = keys.sorted { $0.key < $1.key }.flatMap { entity, keys in
      keys.map { ObjectID(entity: entity, key: $0) }
    }
    var links = LinkRestoring(copy, of: sources)
    try copy.savepoint { try links.run() }
    for link in links.left { help.log.warn(link) }
    for (name, count) in links.discarded.sorted(by: { $0.key < $1.key }) {
      help.log.warn(discarded: count, of: name)
    }
  }

  /// Lets the stages of the step change what was made, as they change objects in a run.
  func revise(_ made: some Sequence<ObjectID>, of source: KeptSource) throws {
    try RefilledStore.note(made, in: builder)
    let facts = StepBuilder.ScriptFacts(
      run: earlier.text, now: earlier.start, rejects: nil, showsValues: false,
      canceller: help.canceller)
    let stages = step.stages.compactMap { written in
      source.stages.kind(named: written.name)?.file.map { (written, $0) }
    }
    for (place, (written, file)) in stages.enumerated() where file.isRetriable {
      help.log.start(stage: written.name)
      try StageRun(
        file, written, builder, number: place + 1, facts,
        keepsHistory: source.plan.declarations.metadata.history != .drop, help.log, isRetry: true
      ).run()
      help.log.finish(stage: written.name)
    }
  }

  /// What the script makes of the objects of its entity; it sees the date of the earlier run.
  private func make(_ script: PlannedScript) throws -> ScriptRun {
    var options = ScriptOptions(
      runID: earlier.text, now: earlier.start, rejectsPath: rejectsPath)
    options.onError = .reject
    options.params = script.transform.params
    options.canceller = help.canceller
    let run = try ScriptRun(script.outline, builder, entity: script.entity, options)
    repeat { try help.log.progress(run.progress) } while try run.chunk()
    help.log.warn(of: script.outline.path, run.warnings, count: run.counts.warnings)
    return run
  }

  private func result(
    _ copies: [String: ScriptedCopy], _ taken: Set<ObjectID>
  ) throws -> Result {
    var result = Result()
    if PipelinePath.exists(rejectsPath) {
      let store = try RejectStore(path: rejectsPath)
      try store.forEach(run: earlier.text) { result.failed.append($0) }
      try store.close()
    }
    guard let any = copies.values.first else { return result }
    for object in try any.madeAnew() {
      let sources = try any.sources(of: object).filter { objects[$0] != nil }
      result.made[object] = .some(sources.first.flatMap { objects[$0] ?? nil })
    }
    let failed = Set(result.failed.map { ObjectID(entity: $0.entity, key: $0.key) })
    for (source, origin) in objects {
      guard let copy = copies[source.entity] else { continue }
      if let same = copy.namesake(of: source), !taken.contains(same), try copy.has(same) {
        result.made[same] = .some(origin)
      }
      if try !failed.contains(source) && copy.destinations(of: source).isEmpty {
        result.leftOut.insert(source)
      }
    }
    return result
  }
}
