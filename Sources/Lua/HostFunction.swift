import LuaHost

/// A Swift closure that scripts call: plain values in, plain values out, errors as texts.
final class HostFunction {
  typealias Body = ([LuaValue]) throws -> [LuaValue]

  private let body: Body
  private let reply = Reply()

  init(_ body: @escaping Body) { self.body = body }

  private func call(_ arguments: lh_values, _ reply: UnsafeMutablePointer<lh_reply>) {
    let values = unsafe arguments.copied()
    unsafe self.reply.fill(reply) { try body(values) }
  }

  /// What C calls; the context is the function itself, kept by the state it is defined in.
  static let entry: lh_callback = { context, arguments, reply in
    guard let context = unsafe context, let reply = unsafe reply else { return }
    let function = unsafe Unmanaged<HostFunction>.fromOpaque(context).takeUnretainedValue()
    unsafe function.call(arguments, reply)
  }

  var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
