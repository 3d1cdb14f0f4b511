import CoreDataStore
import Lua
internal import StoreMigration

/// What the prelude of a stage asks of the host, in addition to what that of a script asks.
///
/// The objects of a pass are handed over in batches; each chunk of them is committed together with
/// the place and with `ctx.state`.
final class StageHost {
  private typealias Misfit = ScriptValue.Misfit

  /// Objects that cross the border at once.
  private static let batch = 200
  /// More passes than any stage needs that ends.
  private static let mostPasses: Int64 = 1_000

  private let host: ScriptHost
  private let objects: RevisedObjects
  private let touches: StageTouches
  private let model: Model
  private let limits = ChunkLimits()
  private var pass: ObjectPass?
  /// The passes that an earlier run has come to the end of, or into.
  private var resumed: StagePosition?
  private var begun: Int64 = 0
  private var rowsOfChunk = 0
  private var startOfChunk = SuspendingClock.now
  private(set) var position = StagePosition()
  private(set) var row: ProgressRow
  /// Asks the stage for its `ctx.state`.
  var readState: () throws -> LuaValue = { .null }
  /// Says how far a pass is.
  var report: (_ entity: String, _ rows: Int, _ total: Int) -> Void = { _, _, _ in }

  init(_ host: ScriptHost, _ objects: RevisedObjects, _ touches: StageTouches, _ model: Model) {
    (self.host, self.objects, self.touches, self.model) = (host, objects, touches, model)
    row = ProgressRow(unit: objects.unit)
  }

  /// Continues where an earlier run was committed last.
  func resume(_ row: ProgressRow, _ position: StagePosition) {
    (self.row, self.position, resumed) = (row, position, position)
  }

  /// Keeps everything that was done, and begins the next chunk.
  func commit(isDone: Bool = false) throws {
    try host.objects.flush()
    position.state = try readState()
    row.state = try position.bytes()
    row.isDone = isDone
    try objects.commit(row)
    (rowsOfChunk, startOfChunk) = (0, .now)
    if !isDone { try objects.begin() }
  }

  /// Adds the functions; those that write objects take the place of a script's.
  func define() throws {
    try host.define("pass") { [unowned self] in [.boolean(try begin(wanted(by: $0)))] }
    try host.define("batch") { [unowned self] _ in [try next()] }
    try host.define("checkpoint") { [unowned self] _ in
      try commit()
      return []
    }
    try host.define("write") { [unowned self] in
      let object = try host.object($0, 0).id, name = try host.name($0, 1)
      if !touches.has(name, of: object.entity) {
        try host.objects.checkProperty(name, of: object.entity, in: model)
        try check(false, "\(object.entity).\(name)")
      }
      try host.objects.write(name, of: object, $0.count > 2 ? $0[2] : .null)
      return []
    }
    try host.define("make") { [unowned self] in
      let entity = try host.objects.entity(try host.name($0, 0), in: model).name
      try check(touches.hasObjects(of: entity), entity)
      return [host.reference(.target, try objects.make(entity))]
    }
    try defineRemovals()
    try defineFacts()
  }

  private func defineRemovals() throws {
    try host.define("remove") { [unowned self] in
      let object = try host.object($0, 0).id
      try check(touches.hasObjects(of: object.entity), object.entity)
      try host.objects.flush()
      try objects.delete(object)
      return []
    }
    try host.define("merge") { [unowned self] in
      let object = try host.object($0, 0).id, other = try host.object($0, 1).id
      try check(touches.hasObjects(of: object.entity), object.entity)
      try host.objects.flush()
      try objects.merge(object, into: other)
      return []
    }
  }

  /// Refuses what the stage has not said that it changes: it would be taken for verified.
  private func check(_ isTouched: Bool, _ name: String) throws {
    guard !isTouched else { return }
    throw Misfit("'touches' does not name \(name), and only what it names can be changed")
  }
}

// Passes.
extension StageHost {
  private func wanted(by arguments: [LuaValue]) throws -> ObjectPass {
    let entity = try host.objects.entity(try host.name(arguments, 0), in: model)
    var condition: ModelPredicate?
    if arguments.count > 1, arguments[1] != .null {
      condition = try ScriptCondition(entity: entity, model: model, objects: host.objects)
        .predicate(arguments[1])
      guard condition != nil else {
        throw Misfit("a condition is a text, or a table of names and values")
      }
    }
    guard arguments.count > 2, let names = arguments[2].table?.list.compactMap(\.text) else {
      return ObjectPass(over: entity.name, where: condition)
    }
    var grouping = ObjectPass.Grouping(by: names)
    if arguments.count > 3, let order = arguments[3].text {
      grouping.isDescending = order.hasPrefix("-")
      let name = grouping.isDescending ? String(order.dropFirst()) : order
      grouping.order = name.isEmpty ? nil : name
    }
    if arguments.count > 4, let least = arguments[4].integer { grouping.least = Int(least) }
    return ObjectPass(over: entity.name, where: condition, grouping)
  }

  /// Begins a pass; false when an earlier run has come to its end.
  private func begin(_ pass: ObjectPass) throws -> Bool {
    begun += 1
    guard begun <= Self.mostPasses else {
      throw Misfit("more than \(Quantity.count(Int(Self.mostPasses))) passes: this has no end")
    }
    try host.objects.flush()
    if let resumed, begun <= resumed.passes {
      if begun < resumed.passes || resumed.pass == nil { return false }
      guard resumed.pass == "\(pass)" else {
        throw Misfit("'resume' goes another way than before: it must make the same passes in order")
      }
      self.pass = pass
      return true
    }
    self.pass = pass
    let (end, total) = try objects.prepare(pass)
    position = StagePosition(
      passes: begun, pass: "\(pass)", end: end, total: Int64(total), state: position.state)
    row.last = nil
    try commit()
    report(pass.entity, 0, total)
    host.world.state.rearm()
    return true
  }

  /// The next objects of the pass; nil at its end.
  private func next() throws -> LuaValue {
    guard let pass else { return .null }
    try host.objects.flush()
    if rowsOfChunk >= limits.rows || startOfChunk.duration(to: .now) >= limits.time {
      try commit()
      report(pass.entity, Int(position.rows), Int(position.total))
    }
    let found = try objects.next(pass, after: row.last, end: position.end, limit: Self.batch)
    guard let last = found.last else {
      try end(pass)
      return .null
    }
    row.last = last.place
    row.rows += found.count
    position.rows += Int64(found.count)
    rowsOfChunk += found.count
    host.world.state.rearm()
    return .list(found.map(item))
  }

  private func end(_ pass: ObjectPass) throws {
    try objects.end(pass)
    self.pass = nil
    position.pass = nil
    try commit()
    report(pass.entity, Int(position.total), Int(position.total))
    host.world.state.rearm()
  }

  private func item(_ object: PassedObject) -> LuaValue {
    let own = host.reference(.target, object.id)
    guard let group = object.group else { return .list([own]) }
    return .list([own, host.reference(.target, group.first), .integer(group.number)])
  }
}

// The model.
extension StageHost {
  private func defineFacts() throws {
    try host.define("entities") { [unowned self] _ in
      [.list(model.entities.map { .text($0.name) })]
    }
    try host.define("attributes") { [unowned self] in
      let entity = try host.objects.entity(try host.name($0, 0), in: model)
      let attributes = model.allAttributes(of: entity).filter {
        !$0.isTransient && $0.derivation == nil
      }
      return [
        .list(
          attributes.map { attribute in
            let owner = model.attribute(named: attribute.name, of: entity)?.declaredBy
            return attribute.facts(declaredBy: owner ?? entity)
          })
      ]
    }
    try host.define("relationships") { [unowned self] in
      let entity = try host.objects.entity(try host.name($0, 0), in: model)
      return [
        .list(
          model.allRelationships(of: entity).filter { !$0.isTransient }.map {
            relationship -> LuaValue in
            var facts: [String: LuaValue] = [
              "name": .text(relationship.name), "to": .text(relationship.destination),
              "many": .boolean(relationship.isToMany),
            ]
            if let inverse = model.inverse(of: relationship) {
              facts["inverse"] = .text(inverse.relationship.name)
            }
            return .fields(facts)
          })
      ]
    }
  }
}

extension Attribute {
  /// What a stage learns of it.
  fileprivate func facts(declaredBy entity: Entity) -> LuaValue {
    .fields([
      "declared": .text(entity.name),
      "name": .text(name), "type": .text(type.name), "optional": .boolean(isOptional),
      "external": .boolean(usesExternalStorage),
    ])
  }
}
