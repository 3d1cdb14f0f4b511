import CoreDataStore
import Formats
import Foundation
import Lua
internal import StoreMigration

// One object at a time, and what happens to it when the script fails.

extension ScriptRun {
  /// Makes what the script makes from one object.
  func make(_ source: SourceObject) throws {
    stores.current = source
    defer { stores.current = nil }
    row += 1
    if let record = try creators?.record(of: source.id.key), try replay(record, source) {
      takenAhead += 1
      return
    }
    host.begin(.init(id: source.id, row: row), name: source.id.entity)
    do {
      try driver.begin()
      try attempt(source.id)
      for object in host.made { counts.made[object.entity, default: 0] += 1 }
    } catch {
      try settle(error, source.id)
    }
    try creators?.check()
  }

  /// Makes the objects of a chunk in the loop; those that the script fails on are settled between.
  func make(_ loop: ScriptLoop, _ pass: ComputedRowPass) throws -> ComputedRows.Chunk {
    defer { stores.current = nil }
    let first = row
    while true {
      let end: LuaRows.End
      do {
        end = try loop.run()
      } catch {
        row = first + loop.counts.rows
        try settle(error, loop)
        try pass.leaveOut(loop.key)
        continue
      }
      if end == .sourceFailed { throw pass.sourceError }
      takenAhead += loop.taken
      row = first + loop.counts.rows
      pass.note(made: loop.counts.made)
      if loop.counts.made > 0 {
        counts.made[pass.rows.targetEntity, default: 0] += loop.counts.made
      }
      return .init(rows: loop.counts.rows, last: loop.key, isDone: end == .done)
    }
  }

  private func settle(_ error: any Error, _ loop: ScriptLoop) throws {
    let source = loop.hold()
    if host.current?.id != source {
      host.begin(.init(id: source, row: row), name: entity)
      // What the script did to ctx.state for an earlier object stays.
      try driver.begin()
    }
    driver.fail(at: loop.function, for: source, showsValues: options.showsValues)
    try settle(error, source)
  }

  /// Everything the script does for one object, undone when it fails.
  private func attempt(_ source: ObjectID) throws {
    if outline.makesObjects {
      try copy.savepoint {
        try driver.create(source)
        if let decision = host.decision { throw decision }
      }
      return
    }
    // Nothing is written before all values are there.
    let values = try driver.values(for: source)
    if let decision = host.decision { throw decision }
    try host.makeDefault(as: mapping?.target, values)
    try host.objects.flush()
  }

  func relate(_ object: ObjectID) throws {
    host.begin(nil, name: "relate \(object.entity) \(object.key)")
    do {
      try driver.begin()
      try driver.relate(object)
      if let decision = host.decision { throw decision }
    } catch {
      var failure = try failure(of: error, doing: "running 'relate'")
      // A new object is gone when the run has ended: the one that it came from can be looked up.
      let origin = (try? stores.sources(of: object))?.first ?? object
      (failure.entity, failure.key) = (origin.entity, origin.key)
      throw failure
    }
  }

  /// Calls a hook that is given the context alone, when the script has it.
  func call(_ hook: ScriptHook) throws {
    guard outline.hooks.contains(hook) else { return }
    host.begin(nil, name: hook.rawValue)
    do {
      try driver.begin()
      try driver.call(hook)
      if let decision = host.decision { throw decision }
    } catch {
      throw try failure(of: error, doing: "running '\(hook.rawValue)'")
    }
  }

  /// The script's `ctx.state`, which must be plain data.
  func stateToSave() throws -> LuaValue {
    do {
      try driver.begin()
      return try driver.state()
    } catch {
      host.begin(nil, name: "state")
      throw try failure(of: error, doing: "saving 'ctx.state'")
    }
  }

  /// What happens to an object for which the script failed, or decided so.
  private func settle(_ error: any Error, _ source: ObjectID) throws {
    if case .skip? = host.decision {
      counts.skipped += 1
      try driver.undoState()
      return
    }
    func about(_ failure: ScriptFailure) -> ScriptFailure {
      var failure = failure
      (failure.entity, failure.key) = (source.entity, source.key)
      (failure.row, failure.total) = (row, copy.total)
      failure.parameters = parameters
      return failure
    }
    do {
      try settle(about(failure(of: error, doing: doing)), host.decision, source)
    } catch let stopped as ScriptFailure {
      throw about(stopped)
    }
  }

  private var doing: String {
    let target = mapping?.target ?? entity
    if let attribute = driver.attribute { return "making \(target).\(attribute.name)" }
    return outline.makesObjects ? "running 'create'" : "making \(target)"
  }

  private func settle(
    _ failure: ScriptFailure, _ decision: ScriptDecision?, _ source: ObjectID
  ) throws {
    if case .fail? = decision { throw failure }
    var becomes = options.onError
    if case .reject? = decision { becomes = .reject }
    guard becomes != .stop else { throw failure }
    try driver.undoState()
    if failures.count < options.mostFailures { failures.append(failure) }
    guard becomes == .reject else {
      counts.failed += 1
      return
    }
    counts.rejected += 1
    waiting.append(
      Reject(
        entity: source.entity, key: source.key, reason: failure.message, script: failure.path,
        line: failure.line, values: try RejectedObject.bytes(ScriptObject(.source, source), stores),
        step: stores.model(of: .target).name))
  }

  private var parameters: [ScriptFailure.Parameter] {
    guard let attribute = driver.attribute else { return [] }
    return attribute.parameters.enumerated().map { place, name in
      let isKnown = options.showsValues && place < driver.given.count
      return .init(name: name, value: isKnown ? ScriptValue.shown(driver.given[place]) : nil)
    }
  }
}

extension ScriptRun {
  /// An error as one of the script's; one that no script can be blamed for is thrown.
  private func failure(of error: any Error, doing: String) throws -> ScriptFailure {
    if let error = host.storeError, error.kind != .unusable { throw error }
    switch error {
    case let error as LuaError where error.kind == .cancelled: throw CancellationError()
    case let error as LuaError where error.kind != .error:
      throw failure(error, doing, remedy: Self.stopped)
    case let error as LuaError: return failure(error, doing, remedy: remedy)
    case let error as ScriptValue.Misfit:
      let name = driver.attribute?.name ?? ""
      return failure("attributes.\(name)", "\(mapping?.target ?? "").\(name): \(error)", doing)
    case let decision as ScriptDecision:
      return failure("create", decision.reason, doing)
    case let error as Failure where error.kind == .unusable && host.current != nil:
      return blaming(failure(fallback(of: doing), Self.sentence(error), doing), error)
    default: throw error
    }
  }

  /// A failure for which a value of the store is to blame, when its file is missing.
  private func blaming(_ failure: ScriptFailure, _ error: Failure?) -> ScriptFailure {
    guard let error, error.isOfMissingValue, host.decision == nil else { return failure }
    var failure = failure
    failure.isOfStore = true
    failure.remedy = "Nothing in the store was changed. \(error.remedy)"
    return failure
  }

  private func failure(_ error: LuaError, _ doing: String, remedy: String) -> ScriptFailure {
    let problem = file.problem(error)
    let message = host.decision?.reason ?? host.storeError.map(Self.sentence) ?? problem.message
    var failure = failure(fallback(of: doing), message, doing)
    if problem.line > 0 {
      (failure.path, failure.line) = (problem.file, problem.line)
      let isOwn = error.sourceLine.isEmpty && problem.file == file.path
      failure.sourceLine = (isOwn ? file.line(problem.line) : error.sourceLine).oneLine
    }
    failure.remedy = remedy
    return blaming(failure, host.storeError)
  }

  /// The word whose line stands for an error that has none: "running 'create'" is `create`.
  private func fallback(of doing: String) -> String {
    if let attribute = driver.attribute { return "attributes.\(attribute.name)" }
    return doing.split(separator: "'").last.map(String.init) ?? ""
  }

  private func failure(_ word: String, _ message: String, _ doing: String) -> ScriptFailure {
    let line = outline.lines[word] ?? 0
    return ScriptFailure(
      path: file.path, line: line, sourceLine: file.line(line).oneLine,
      message: ScriptMessage.text(message), doing: doing,
      remedy: remedy)
  }

  private static func sentence(_ error: Failure) -> String {
    let text = "\(error.what): \(error.subject). \(error.why)"
    return error.what == Failure.cannotConvert
      ? "\(text) A function in attributes = { ... } gives it another value." : text
  }

  private static let stopped =
    "Nothing in the store was changed. Look for a loop that does not end, or make the script do "
    + "less at once, and give the same command again."

  private var remedy: String {
    let others =
      options.onError == .stop && host.current != nil && host.decision == nil
      ? ", or say on_error = \"skip\" or \"reject\" for this transform," : ""
    return "Nothing in the store was changed. Correct the script\(others) and give the same "
      + "command again."
  }
}

/// An object of the source as a property list, to be kept with all its values.
enum RejectedObject {
  /// The bytes of an object: its attributes by name, and the objects its relationships to one lead
  /// to as `[entity, key]`.
  static func bytes(_ object: ScriptObject, _ stores: any ScriptStores) throws -> [UInt8] {
    let model = stores.model(of: object.side)
    guard let entity = model.entity(named: object.id.entity) else { return [] }
    var values: [String: PropertyList] = [:]
    for attribute in model.allAttributes(of: entity) where !attribute.isTransient {
      values[attribute.name] = list(try stores.value(attribute.name, of: object))
    }
    for link in model.allRelationships(of: entity) where !link.isToMany && !link.isTransient {
      if let other = try stores.destinations(link.name, of: object).first {
        values[link.name] = .array([.string(other.entity), .integer(other.key)])
      }
    }
    return try BinaryPropertyListWriter.write(.dictionary(values))
  }

  private static func list(_ value: AttributeValue) -> PropertyList? {
    switch value {
    case .null, .unexpected: nil
    case .integer(let number): .integer(number)
    case .boolean(let truth): .bool(truth)
    case .real(let number): .real(number)
    case .date(let seconds): .date(seconds)
    case .decimal(let text), .string(let text), .uri(let text): .string(text)
    case .uuid(let uuid): .string(uuid.uuidString)
    case .binary(let bytes), .transformable(let bytes): .data(bytes)
    case .external(let reference): .dictionary(["$external": .string(reference.name)])
    }
  }
}
