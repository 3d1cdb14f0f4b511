import LuaHost
internal import OperatingSystem

/// One interpreter in the sandbox.
///
/// Not Sendable on purpose: a worker makes its own. Only its canceller crosses threads. After a
/// stop (time, memory, instructions, cancelled) every further call throws the same again.
@safe package final class LuaState {
  let host: OpaquePointer
  private let canceller: LuaCanceller
  private var functions: [HostFunction] = []

  /// Opens an interpreter with the helpers every script has.
  package init(
    limits: LuaLimits = LuaLimits(), canceller: LuaCanceller = LuaCanceller()
  ) throws(LuaError) {
    let limit = lh_limits(
      memory: limits.memory, nanoseconds: limits.nanoseconds,
      instructions: limits.instructions ?? 0)
    guard let host = unsafe lh_open(limit, canceller.flag) else {
      throw LuaError(kind: .memory, message: "a Lua interpreter cannot be opened: no memory")
    }
    unsafe self.host = host
    self.canceller = canceller
    unsafe lh_set_record(host) { object, name, value, reply in
      guard let object = unsafe object, let name = unsafe name, let reply = unsafe reply else {
        return
      }
      let box = unsafe Unmanaged<RecordBox>.fromOpaque(object).takeUnretainedValue()
      unsafe box.answer(String(cString: name), value?.pointee.copied().first, reply)
    }
    for module in HelperModules.all { try module.define(in: self) }
  }

  deinit { unsafe lh_close(host) }

  /// Adds a function to the script's world, as `name` or `module.name`.
  package func define(
    _ name: String, in module: String? = nil, _ body: @escaping ([LuaValue]) throws -> [LuaValue]
  ) throws(LuaError) {
    try define(name, in: module, HostFunction(body))
  }

  func define(_ name: String, in module: String?, _ function: HostFunction) throws(LuaError) {
    functions.append(function)
    try check(unsafe lh_define(host, module, name, HostFunction.entry, function.context))
  }

  /// Adds what is held in Lua to the world of the texts loaded from now on; nil takes a name away.
  package func define(_ name: String, as value: LuaReference?) throws(LuaError) {
    guard let value else { return try check(unsafe lh_define_value(host, name, nil)) }
    var reference = value.reference
    try check(unsafe lh_define_value(host, name, &reference))
  }

  /// Where the script's `print` goes, a line a call.
  package func onPrint(_ body: @escaping (String) -> Void) {
    let function = HostFunction { arguments in
      body(String(decoding: arguments.first?.bytes ?? [], as: UTF8.self))
      return []
    }
    functions.append(function)
    unsafe lh_set_print(host, HostFunction.entry, function.context)
  }

  /// Lets `require` read the files of one folder.
  package func allowModules(in folder: String) throws(LuaError) {
    guard let path = try? FileSystem.realPath(folder) else {
      throw LuaError(kind: .error, message: "there is no folder '\(folder)' to take modules from")
    }
    try check(unsafe lh_set_folder(host, path))
  }

  /// Lets `require` give what it has loaded by now, and read no other file.
  package func closeModules() { unsafe lh_close_folder(host) }

  /// Compiles a text; its name is what errors call it.
  package func load(_ text: some Collection<UInt8>, name: String) throws(LuaError) -> LuaReference {
    var reference: Int32 = 0
    let bytes = text.map { CChar(bitPattern: $0) }
    try check(unsafe lh_load(host, bytes, bytes.count, name, &reference))
    return LuaReference(state: self, reference: reference, kind: .function)
  }

  package func load(_ text: String, name: String) throws(LuaError) -> LuaReference {
    try load(Array(text.utf8), name: name)
  }

  /// Runs a text and copies out what it returns; a function is returned as nil.
  @discardableResult
  package func run(_ text: String, name: String) throws(LuaError) -> [LuaValue] {
    try load(text, name: name).call()
  }

  /// The nearest line of Lua that led to the host function now running.
  package func caller(level: Int = 1) -> (file: String, line: Int)? {
    var source: UnsafePointer<CChar>?
    var line: Int32 = 0
    guard unsafe lh_caller(host, Int32(level), &source, &line) != 0, let source = unsafe source
    else { return nil }
    return (unsafe String(cString: source), Int(line))
  }

  /// A text that was loaded, those that `require` read included.
  package struct Source: Sendable, Equatable {
    package let name: String
    package let text: [UInt8]
  }

  /// Everything loaded so far, in order.
  package var sources: [Source] {
    (0..<(unsafe lh_source_count(host))).compactMap(source)
  }

  private func source(_ index: Int) -> Source? {
    var name: UnsafePointer<CChar>?
    var text: UnsafePointer<CChar>?
    var length = 0
    guard unsafe lh_source(host, index, &name, &text, &length) != 0, let name = unsafe name
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
    return Source(name: unsafe String(cString: name), text: unsafe Array(bytes))
  }

  /// Starts counting time and instructions from zero, inside a host function: a piece of the work
  /// is done, and the next one may take as long.
  package func rearm() { unsafe lh_rearm(host) }

  /// Bytes the interpreter holds now, and the most it has held.
  package var memory: (used: Int, peak: Int) {
    unsafe (lh_memory_used(host), lh_memory_peak(host))
  }

  /// Instructions of the last entry.
  package var instructions: UInt64 { unsafe lh_instructions_used(host) }

  /// The release of the library in use, like "Lua 5.4.6".
  package static var version: String { unsafe String(cString: lh_lua_version()) }

  /// The date that scripts read in a text with `date.parse`: of ISO 8601 without a form; nil for
  /// any other text.
  package static func date(of text: String, form: String? = nil) -> Double? {
    var seconds = 0.0
    let length = text.utf8.count
    let result =
      if let form {
        unsafe lh_read_date(text, length, form, &seconds)
      } else {
        unsafe lh_read_date(text, length, nil, &seconds)
      }
    return result == LH_DATE_READ ? seconds : nil
  }

  /// The name and release of the library for JPEGs; nil where it was not built in.
  package static var jpegVersion: String? { ImageModule.jpegVersion }

  /// Whether scripts have the module for pictures.
  package static var hasPictures: Bool { ImageModule.isThere }

  func check(_ status: lh_status) throws(LuaError) {
    if status != LH_OK { throw problem() }
  }

  private func problem() -> LuaError {
    let problem = unsafe lh_last_problem(host)
    let file = unsafe String(cString: problem.source)
    let line = unsafe Int(problem.line)
    return unsafe LuaError(
      kind: Self.kind(problem.status), message: String(cString: problem.message), file: file,
      line: line, sourceLine: sourceLine(file, line), traceback: String(cString: problem.traceback))
  }

  private static func kind(_ status: lh_status) -> LuaError.Kind {
    switch status {
    case LH_TIME: .time
    case LH_INSTRUCTIONS: .instructions
    case LH_MEMORY: .memory
    case LH_CANCELLED: .cancelled
    default: .error
    }
  }

  private func sourceLine(_ file: String, _ line: Int) -> String {
    guard line > 0, let text = sources.last(where: { $0.name == file })?.text else { return "" }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard line <= lines.count else { return "" }
    return String(decoding: lines[line - 1].prefix(200), as: UTF8.self)
  }
}
