import LuaHost

/// Stops scripts from any thread: every state made with it, and each of their later calls.
///
/// The only part of a state that may be shared. It outlives the states that watch it.
@safe package final class LuaCanceller: @unchecked Sendable {
  // Sendable because the flag is an atomic of C's, and nothing else is here.
  let flag: OpaquePointer?
  private let outer: LuaCanceller?

  /// A flag that is down; it counts as raised when an outer one is.
  package init(within outer: LuaCanceller? = nil) {
    self.outer = outer
    unsafe flag = lh_flag_create(outer?.flag)
  }

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
