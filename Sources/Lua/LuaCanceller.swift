import LuaHost

/// Stops scripts from any thread: every state made with it, and each of their later calls.
///
/// The only part of a state that may be shared. It outlives the states that watch it.
@safe package final class LuaCanceller: @unchecked Sendable {
  // Sendable because the flag is an atomic of C's, and nothing else is here.
  let flag: OpaquePointer?

  /// A flag that is down.
  package init() { unsafe flag = lh_flag_create() }

  deinit { unsafe lh_flag_destroy(flag) }

  /// Asks the scripts to stop; each does at its next look at its limits.
  package func cancel() {
    guard let flag = unsafe flag else { return }
    unsafe lh_flag_raise(flag)
  }

  /// Whether it was asked.
  package var isCancelled: Bool {
    guard let flag = unsafe flag else { return false }
    return unsafe lh_flag_is_raised(flag) != 0
  }
}
