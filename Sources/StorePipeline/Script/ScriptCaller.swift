import CoreDataStore
import Lua
internal import StoreMigration

/// Calls a script's functions with the objects they are for.
final class ScriptCaller {
  let world: LoadedScript
  let host: ScriptHost
  private let prelude: LuaReference
  private var functions: [String: LuaReference] = [:]
  private let stores: any ScriptStores
  /// The functions that make attributes' values, by the attributes' names.
  let attributes: [AttributeFunction]
  /// The attribute whose function is running, or has failed.
  private(set) var attribute: AttributeFunction?
  private(set) var given: [LuaValue] = []

  /// A function that makes the values of one attribute.
  struct AttributeFunction {
    let name: String
    let attribute: Attribute
    let parameters: [String]
    let function: LuaReference
    /// Whether all parameters are attributes, so that plain values are all it needs.
    let isPlain: Bool
  }

  /// Takes up a script; `isAhead` where it runs before the turn of the objects it is given.
  init(
    _ world: LoadedScript, _ host: ScriptHost, _ mapping: ObjectMapping?, _ outline: ScriptOutline,
    now: Double, isAhead: Bool = false
  ) throws {
    self.world = world
    self.host = host
    stores = host.objects.stores
    try host.define()
    try world.state.define(ScriptPrelude.table, as: world.result)
    let target = mapping?.target
    let creates = outline.creates.isEmpty ? [target].compactMap(\.self) : outline.creates
    let what: LuaValue = .fields([
      "creates": .list(creates.map { .text($0) }), "target": target.map { .text($0) } ?? .null,
      "context": .text(ScriptOutline.contextParameter), "now": .real(now),
      "isAhead": .boolean(isAhead),
    ])
    prelude = try world.state.load(ScriptPrelude.text, name: ScriptPrelude.name)
      .callKeepingResult([.value(what)])
    try world.state.define(ScriptPrelude.module, as: nil)
    try world.state.define(ScriptPrelude.table, as: nil)
    attributes = try Self.functions(world, stores, mapping, outline)
    host.complete = { [unowned self] source, made in
      guard made.entity == mapping?.target, source.entity == mapping?.source else { return }
      self.host.objects.wait(made, try values(for: source))
    }
  }

  private static func functions(
    _ world: LoadedScript, _ stores: any ScriptStores, _ mapping: ObjectMapping?,
    _ outline: ScriptOutline
  ) throws -> [AttributeFunction] {
    let (source, target) = (stores.model(of: .source), stores.model(of: .target))
    guard let mapping, let old = source.entity(named: mapping.source),
      let new = target.entity(named: mapping.target), !outline.computed.isEmpty
    else { return [] }
    let table = try world.result.field("attributes")
    return try outline.computed.sorted().map { name in
      guard case .function(let parameters)? = outline.attributes[name],
        let attribute = target.attribute(named: name, of: new)?.attribute
      else {
        let names = target.allAttributes(of: new).map(\.name)
        let near = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" }
        throw Problem(
          file: outline.path, line: outline.lines["attributes.\(name)"] ?? 0,
          message: "\(new.name) has no attribute '\(name)'\(near ?? "")")
      }
      return AttributeFunction(
        name: name, attribute: attribute, parameters: parameters, function: try table.field(name),
        isPlain: parameters.allSatisfy { source.attribute(named: $0, of: old) != nil })
    }
  }

  private func entry(_ name: String) throws -> LuaReference {
    if let known = functions[name] { return known }
    let found = try prelude.field(name)
    functions[name] = found
    return found
  }

  /// Calls a hook that is given the context alone.
  func call(_ hook: ScriptHook) throws {
    try entry("hook").call(.text(hook.rawValue))
    try host.objects.flush()
  }

  func create(_ source: ObjectID) throws {
    try entry("create").call(ScriptReferences.value(ScriptObject(.source, source)))
    try host.objects.flush()
  }

  /// Calls `relate` for an object that was made.
  func relate(_ object: ObjectID) throws {
    try entry("relate").call(ScriptReferences.value(ScriptObject(.target, object)))
    try host.objects.flush()
  }

  /// The values that the script's functions make for an object of the source.
  func values(for source: ObjectID) throws -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for function in attributes { values[function.name] = try value(of: function, for: source) }
    attribute = nil
    return values
  }

  /// The value that one of the functions makes for an object of the source.
  func value(of function: AttributeFunction, for source: ObjectID) throws -> AttributeValue {
    (attribute, given) = (function, [])
    let result = try function.isPlain ? plain(function, source) : call(function, source)
    return try store(result, of: function)
  }

  /// What a function's result is in the store; none is a mistake, most often a `return` that was
  /// forgotten.
  func store(_ result: LuaValue?, of function: AttributeFunction) throws -> AttributeValue {
    guard let result else {
      throw ScriptValue.Misfit("the function returned nothing; write `return nil` to empty it")
    }
    let value = try ScriptValue.write(result, to: function.attribute)
    host.objects.note(value)
    return value
  }

  /// Notes at which function the work on an object of the source came to its end, none for the
  /// object itself; with `showsValues` what the function was given is read again.
  func fail(at function: AttributeFunction?, for source: ObjectID, showsValues: Bool) {
    (attribute, given) = (function, [])
    guard showsValues, let function, function.isPlain else { return }
    for parameter in function.parameters {
      let value = try? host.objects.read(parameter, of: ScriptObject(.source, source)).value
      guard let value else { return }
      given.append(value)
    }
  }

  private func plain(_ function: AttributeFunction, _ source: ObjectID) throws -> LuaValue? {
    let object = ScriptObject(.source, source)
    for parameter in function.parameters {
      given.append(try host.objects.read(parameter, of: object).value)
    }
    // A call without arguments counts as loading, when globals may be written.
    let arguments = given.isEmpty ? [.null] : given
    return try function.function.call(arguments.map(LuaArgument.value)).first
  }

  private func call(_ function: AttributeFunction, _ source: ObjectID) throws -> LuaValue? {
    let arguments: [LuaValue] = [
      .text(function.name), .list(function.parameters.map { .text($0) }),
      ScriptReferences.value(ScriptObject(.source, source)),
    ]
    return try entry("attribute").call(arguments.map(LuaArgument.value)).first
  }

  /// Begins with another object: those that functions of attributes were given end.
  func begin() throws {
    (attribute, given) = (nil, [])
    guard attributes.contains(where: { !$0.isPlain }) else { return }
    try entry("forget").call(.boolean(true))
  }

  /// Puts `ctx.state` back to what it was before the call for the current object.
  func undoState() throws { try entry("undo").call(.boolean(true)) }

  /// The script's `ctx.state`.
  func state() throws -> LuaValue {
    try entry("state").call(.boolean(true)).first ?? .table(LuaTable())
  }

  /// Gives the script the `ctx.state` of an earlier run.
  func restore(_ state: LuaValue) throws { try entry("restore").call(state) }
}
