import CoreDataStore
import Lua
internal import StoreMigration

/// What a script's prelude asks of the host while the script runs.
final class ScriptHost {
  /// The object that a script was given.
  struct Current {
    let id: ObjectID
    let row: Int
  }

  private typealias Misfit = ScriptValue.Misfit

  let world: LoadedScript
  let objects: ObjectBridge
  private let creates: [String]
  private let runID: String
  /// Makes what the script's attribute functions add to an object of the mapping's.
  var complete: (_ source: ObjectID, _ made: ObjectID) throws -> Void = { _, _ in }
  /// The current object.
  private(set) var current: Current?
  /// What the script has decided about it.
  private(set) var decision: ScriptDecision?
  /// An error of a store's that a script cannot correct and must not catch.
  private(set) var storeError: Failure?
  /// The objects made since ``begin(_:)``.
  private(set) var made: [ObjectID] = []
  private(set) var warnings = ScriptWarnings()
  private var random: ScriptRandom?
  /// What the random numbers depend on besides the run, once one is drawn.
  private var seed = (name: "", key: Int64(0))

  /// Objects that one `ctx.find` gives at most.
  static let mostFound = 10_000

  init(_ world: LoadedScript, _ stores: any ScriptStores, creates: [String], runID: String) {
    self.world = world
    self.creates = creates
    self.runID = runID
    objects = ObjectBridge(stores)
  }

  /// Makes an object the current one, or none.
  func begin(_ current: Current?, name: String) {
    self.current = current
    (decision, storeError, made) = (nil, nil, [])
    objects.discard()
    (random, seed) = (nil, (name, current?.id.key ?? 0))
  }

  /// Adds the functions that the prelude uses.
  func define() throws {
    try define("read") { [unowned self] in
      let (value, isObject) = try objects.read(try name($0, 1), of: try object($0, 0))
      return [value, .boolean(isObject)]
    }
    try define("write") { [unowned self] in
      let value = $0.count > 2 ? $0[2] : .null
      try objects.write(try name($0, 1), of: try object($0, 0).id, value)
      return []
    }
    try define("default") { [unowned self] in
      [try makeDefault(object($0, 0).id, as: name($0, 1))]
    }
    try define("make") { [unowned self] in [try make(name($0, 0))] }
    try define("associate") { [unowned self] in
      if let source = current?.id { try stores.associate(try object($0, 0).id, with: source) }
      return []
    }
    try define("destinations") { [unowned self] in
      [.list(try stores.made(from: object($0, 0).id).map { reference(.target, $0) })]
    }
    try define("sources") { [unowned self] in
      [.list(try stores.sources(of: object($0, 0).id).map { reference(.source, $0) })]
    }
    try define("find") { [unowned self] in [try find($0)] }
    try define("count") { [unowned self] in
      try objects.flush()
      let (entity, condition) = try search($0, "ctx.count")
      return [.integer(Int64(try stores.count(entity, where: condition)))]
    }
    try defineWords()
  }

  private func defineWords() throws {
    world.state.onPrint { [unowned self] line in
      warn(line.replacing("\t", with: " "), isPrinted: true)
    }
    try define("decide") { [unowned self] in try decide($0) }
    try define("warn") { [unowned self] in
      warn(try reason($0, 0, "ctx.warn"))
      return []
    }
    try define("random") { [unowned self] in [try random($0)] }
    try define("key") { [unowned self] _ in
      guard let current else { throw Misfit("'ctx.key' needs an object that the call is for") }
      return [.integer(current.id.key)]
    }
    try define("refuse") { throw Misfit($0.first?.text ?? "this cannot be done") }
    try define("undeclared") { [unowned self] in throw undeclared(try name($0, 0)) }
    try define("unknown") { [unowned self] arguments in
      let name = arguments.first?.text ?? "?"
      let names = arguments.last?.table?.list.compactMap(\.text) ?? []
      let near = NearestName.of(name, among: names).map { "; did you mean 'ctx.\($0)'?" }
      throw Misfit("there is no 'ctx.\(name)'\(meant(byContext: name) ?? near ?? "")")
    }
  }

  /// What a member that the context has not was meant to be.
  private func meant(byContext name: String) -> String? {
    if name == "new" || stores.model(of: .target).entity(named: name) != nil {
      return "; the parameters are the object, new and ctx: create = function(source, new, ctx)"
    }
    let isShown = ["log", "print", "debug", "info"].contains(name)
    return isShown ? "; print(...) shows a line, and ctx.warn(\"...\") gives a warning" : nil
  }

  private var stores: any ScriptStores { objects.stores }

  /// Adds a function that the prelude uses; one of the same name gives way to it.
  func define(
    _ name: String, _ body: @escaping ([LuaValue]) throws -> [LuaValue]
  ) throws {
    try world.state.define(name, in: ScriptPrelude.module) { [unowned self] arguments in
      do {
        return try body(arguments)
      } catch let error as LuaError {
        throw error
      } catch {
        if let error = error as? Failure, error.kind.isOfStore || error.kind == .defect {
          storeError = storeError ?? error
        }
        throw placed((error as? Failure)?.sentence ?? "\(error)")
      }
    }
  }

  /// An error at the line of the script that led here.
  private func placed(_ message: String) -> LuaError {
    let place = world.place
    return LuaError(
      kind: .error, message: message, file: place?.file ?? ScriptFile.chunk, line: place?.line ?? 0)
  }

  /// What stands for an object in Lua.
  func reference(_ side: ScriptSide, _ id: ObjectID) -> LuaValue {
    ScriptReferences.value(ScriptObject(side, id))
  }

  /// The object at a place of what a function was given.
  func object(_ arguments: [LuaValue], _ place: Int) throws -> ScriptObject {
    guard place < arguments.count, let object = ScriptReferences.object(arguments[place]) else {
      throw Misfit("an object is needed here")
    }
    return object
  }

  /// The text at a place of what a function was given.
  func name(_ arguments: [LuaValue], _ place: Int) throws -> String {
    guard place < arguments.count, let name = arguments[place].text else {
      throw Misfit("a name is needed here, in quotes or after a point")
    }
    return name
  }

  private func reason(_ arguments: [LuaValue], _ place: Int, _ word: String) throws -> String {
    guard place < arguments.count, let text = arguments[place].text, !text.isEmpty else {
      throw Misfit("'\(word)' needs a text that says why: \(word)(\"...\")")
    }
    return text
  }
}

// Making objects.
extension ScriptHost {
  private func makeDefault(_ source: ObjectID, as entity: String) throws -> LuaValue {
    if let mapping = stores.mapping, mapping.objects(from: source.entity)?.target != entity {
      throw Misfit(
        "the mapping makes no \(entity) from an object of \(source.entity); "
          + "write new.\(entity) { ... } with its values")
    }
    let id = try stores.makeDefault(source, as: entity)
    made.append(id)
    try complete(source, id)
    return reference(.target, id)
  }

  private func make(_ entity: String) throws -> LuaValue {
    let id = try stores.make(entity, for: current?.id)
    made.append(id)
    return reference(.target, id)
  }

  /// Makes the default object of the current object, for scripts without `create`.
  func makeDefault(as entity: String?, _ values: [String: AttributeValue]) throws {
    guard let source = current?.id, let entity else { return }
    let id = try stores.makeDefault(source, as: entity)
    made.append(id)
    objects.wait(id, values)
  }

  private func undeclared(_ entity: String) -> Misfit {
    let model = stores.model(of: .target)
    if model.entity(named: entity) != nil {
      let list = (creates + [entity]).map(LuaText.quoted).joined(separator: ", ")
      return Misfit("'creates' does not name '\(entity)'; write creates = { \(list) }")
    }
    let near = NearestName.of(entity, among: model.entities.map(\.name))
    return Misfit("there is no entity '\(entity)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }
}

// What a script decides, finds and draws.
extension ScriptHost {
  private func decide(_ arguments: [LuaValue]) throws -> [LuaValue] {
    let word = try name(arguments, 0)
    let reason = try reason(arguments, 1, "ctx.\(word)")
    guard let decision = ScriptDecision(word, reason) else { return [] }
    if case .fail = decision {
      self.decision = decision
    } else {
      guard current != nil else {
        throw Misfit("'ctx.\(word)' is for 'create' and for attributes: there is no current object")
      }
      self.decision = self.decision ?? decision
    }
    throw Misfit(reason)
  }

  private func warn(_ text: String, isPrinted: Bool = false) {
    warnings.add(
      ScriptWarning(
        message: text, line: world.place?.line ?? 0,
        object: current.map { "\($0.id.entity) Z_PK \($0.id.key)" }, isPrinted: isPrinted))
  }

  /// Adds warnings that the script gave elsewhere.
  func add(_ warnings: ScriptWarnings) { self.warnings.add(warnings) }

  /// The warnings since this was last called, which are another's from now on.
  func takeWarnings() -> ScriptWarnings {
    defer { warnings = ScriptWarnings() }
    return warnings
  }

  private func find(_ arguments: [LuaValue]) throws -> LuaValue {
    try objects.flush()
    let (entity, condition) = try search(arguments, "ctx.find")
    let found = try stores.find(entity, where: condition, limit: Self.mostFound + 1)
    guard found.count <= Self.mostFound else {
      throw Misfit(
        "'ctx.find' finds more than \(Quantity.count(Self.mostFound)) objects of \(entity); "
          + "narrow it with a condition, ctx.find(\(LuaText.quoted(entity)), { name = value }), "
          + "or use ctx.count")
    }
    return ScriptReferences.values(found, .target)
  }

  private func search(
    _ arguments: [LuaValue], _ word: String
  ) throws -> (entity: String, condition: ModelPredicate?) {
    guard let name = arguments.first?.text else {
      throw Misfit(
        "'\(word)' needs the name of an entity first: \(word)(\"Entity\", { name = value })")
    }
    let model = stores.model(of: .target)
    let entity = try objects.entity(name, in: model)
    guard arguments.count > 1, arguments[1] != .null else { return (entity.name, nil) }
    guard arguments[1].table?.list.isEmpty != false,
      let condition = try ScriptCondition(entity: entity, model: model, objects: objects)
        .predicate(arguments[1])
    else { throw Misfit("'\(word)' needs a condition: a text, or a table of names and values") }
    return (entity.name, condition)
  }

  private func random(_ arguments: [LuaValue]) throws -> LuaValue {
    let bounds = arguments.filter { $0 != .null }
    guard bounds.isEmpty || arguments.first != .null else {
      throw Misfit(
        "'ctx.random' was given nil as its first argument, the smallest number; with one number, "
          + "the smallest is 1")
    }
    var random = self.random ?? ScriptRandom(run: runID, entity: seed.name, key: seed.key)
    defer { self.random = random }
    guard !bounds.isEmpty else { return .real(random.real()) }
    let numbers = bounds.compactMap(\.integer)
    guard numbers.count == bounds.count, let last = numbers.last, numbers.count < 3 else {
      throw Misfit("'ctx.random' takes no numbers, or one or two whole ones")
    }
    let low = numbers.count == 2 ? numbers[0] : 1
    guard low <= last else { throw Misfit("'ctx.random' needs the smaller number first") }
    return .integer(random.integer(in: low...last))
  }
}
