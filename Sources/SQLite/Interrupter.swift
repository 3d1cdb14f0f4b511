internal import CSQLite
internal import Synchronization

/// Stops what a connection is doing, from any thread, even when it is being closed meanwhile.
///
/// "It is safe to call sqlite3_interrupt from a thread different from the thread that is currently
/// running the database operation. But it is not safe to call this routine with a database
/// connection that is closed or might close before it returns" (SQLite, C API): so both happen
/// under one lock.
package final class Interrupter: Sendable {
  private let handle: Mutex<UInt>

  init(_ handle: OpaquePointer) { self.handle = Mutex(UInt(bitPattern: handle)) }

  /// The running statement fails with `isInterrupted`; nothing happens on a closed connection.
  package func interrupt() {
    handle.withLock { bits in
      guard let handle = unsafe OpaquePointer(bitPattern: bits) else { return }
      unsafe sqlite3_interrupt(handle)
    }
  }

  /// From now on there is something to interrupt.
  func arm(_ handle: OpaquePointer?) { self.handle.withLock { $0 = UInt(bitPattern: handle) } }

  /// From now on there is nothing to interrupt.
  func disarm() { handle.withLock { $0 = 0 } }
}
