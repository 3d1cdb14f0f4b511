import LuaHost

/// A Swift closure that scripts call: plain values in, plain values out, errors as texts.
@safe final class HostFunction {
  private let body: (lh_values) throws -> [LuaValue]
  private let reply = Reply()

  init(_ body: @escaping ([LuaValue]) throws -> [LuaValue]) {
    unsafe self.body = { unsafe try body($0.copied()) }
  }

  /// One that reads its first argument where Lua has it, a string that may be large.
  ///
  /// It is given nil where that is none; the other arguments are copied. The bytes are Lua's, so it
  /// may not call the state.
  init(borrowing body: @escaping (UnsafeRawBufferPointer?, [LuaValue]) throws -> [LuaValue]) {
    unsafe self.body = { arguments in
      guard let bytes = unsafe arguments.firstBytes else {
        return unsafe try body(nil, arguments.copied())
      }
      return unsafe try body(bytes, [.string([])] + arguments.afterFirst.copied())
    }
  }

  private func call(_ arguments: lh_values, _ reply: UnsafeMutablePointer<lh_reply>) {
    unsafe self.reply.fill(reply) { unsafe try body(arguments) }
  }

  /// What C calls; the context is the function itself, kept by the state it is defined in.
  static let entry: lh_callback = { context, arguments, reply in
    guard let context = unsafe context, let reply = unsafe reply else { return }
    let function = unsafe Unmanaged<HostFunction>.fromOpaque(context).takeUnretainedValue()
    unsafe function.call(arguments, reply)
  }

  var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
