import LuaHost

/// A function or a table that stays in Lua, held from here.
@safe package final class LuaReference {
  /// What a reference holds.
  package enum Kind: Sendable {
    case null, boolean, number, string, table, function, object
  }

  package let kind: Kind
  private let state: LuaState
  let reference: Int32

  init(state: LuaState, reference: Int32, kind: Kind) {
    self.state = state
    self.reference = reference
    self.kind = kind
  }

  deinit { unsafe lh_release(state.host, reference) }

  /// Calls it and copies out the results.
  package func call(_ arguments: [LuaArgument]) throws(LuaError) -> [LuaValue] {
    let results = Results()
    let buffer = ValueBuffer(arguments)
    var options = unsafe lh_call_options()
    unsafe options.arguments = buffer.values
    unsafe options.sink = Results.sink
    unsafe options.context = results.context
    let status = unsafe lh_call(state.host, reference, options)
    withExtendedLifetime(buffer) {}
    try state.check(status)
    return results.values
  }

  /// Calls it with plain values.
  @discardableResult
  package func call(_ arguments: LuaValue...) throws(LuaError) -> [LuaValue] {
    try call(arguments.map(LuaArgument.value))
  }

  /// Calls it and keeps its first result in Lua: the table that a script file returns.
  package func callKeepingResult(_ arguments: [LuaArgument] = []) throws(LuaError) -> LuaReference {
    let buffer = ValueBuffer(arguments)
    var kept: Int32 = 0
    let status = unsafe withUnsafeMutablePointer(to: &kept) { pointer in
      var options = unsafe lh_call_options()
      unsafe options.arguments = buffer.values
      unsafe options.keep = 1
      unsafe options.kept = pointer
      return unsafe lh_call(state.host, reference, options)
    }
    withExtendedLifetime(buffer) {}
    try state.check(status)
    return try LuaReference(state: state, reference: kept, kind: .null).reread()
  }

  /// What stands under a name in this table.
  package func field(_ name: String) throws(LuaError) -> LuaReference { try look(name) }

  /// The keys of this table, in order.
  package func keys() throws(LuaError) -> [LuaValue] {
    try unsafe collect { unsafe lh_keys(state.host, reference, $0, $1) }
  }

  /// A copy as plain data.
  package func value() throws(LuaError) -> LuaValue {
    try unsafe collect { unsafe lh_read(state.host, reference, $0, $1) }.first ?? .null
  }

  /// A function's parameters as its author named them, and where it was written.
  package struct Parameters: Equatable, Sendable {
    package let names: [String]
    package let takesMore: Bool
    package let line: Int
    package let lastLine: Int
    /// The name of the text that it was written in.
    package let chunk: String
  }

  package func parameters() throws(LuaError) -> Parameters {
    let values = try unsafe collect { unsafe lh_parameters(state.host, reference, $0, $1) }
    let facts = Array(values.suffix(4))
    guard facts.count == 4 else {
      return Parameters(names: [], takesMore: false, line: 0, lastLine: 0, chunk: "")
    }
    return Parameters(
      names: values.dropLast(4).compactMap(\.text), takesMore: facts[0].integer == 1,
      line: Int(facts[1].integer ?? 0), lastLine: Int(facts[2].integer ?? 0),
      chunk: facts[3].text ?? "")
  }

  /// The same thing under a reference that knows its kind.
  private func reread() throws(LuaError) -> LuaReference { try look(nil) }

  private func look(_ name: String?) throws(LuaError) -> LuaReference {
    var field: Int32 = 0
    var kind = LH_NIL
    try state.check(unsafe lh_field(state.host, reference, name, &field, &kind))
    return LuaReference(state: state, reference: field, kind: Self.kind(kind))
  }

  private func collect(
    _ entry: (lh_sink, UnsafeMutableRawPointer) -> lh_status
  ) throws(LuaError) -> [LuaValue] {
    let results = Results()
    try state.check(unsafe entry(Results.sink, results.context))
    return results.values
  }

  private static func kind(_ kind: lh_kind) -> Kind {
    switch kind {
    case LH_BOOLEAN: .boolean
    case LH_INTEGER, LH_REAL: .number
    case LH_STRING: .string
    case LH_TABLE: .table
    case LH_FUNCTION: .function
    case LH_RECORD: .object
    default: .null
    }
  }
}

/// Copies results out while they are still anchored in Lua.
private final class Results {
  var values: [LuaValue] = []

  var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  static let sink: lh_sink = { context, values in
    guard let context = unsafe context else { return }
    let results = unsafe Unmanaged<Results>.fromOpaque(context).takeUnretainedValue()
    unsafe results.values = values.copied()
  }
}
