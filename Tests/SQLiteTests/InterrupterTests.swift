import Dispatch
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@Suite("Interruption from another thread") struct InterrupterTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// Interrupts again and again, on a thread of its own, until it has to stop.
  private final class Stopper: Sendable {
    private let isOver = Mutex(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ interrupter: Interrupter) {
      Thread.detachNewThread { [self] in
        while !isOver.withLock({ $0 }) { interrupter.interrupt() }
        hasEnded.signal()
      }
    }

    func stop() {
      isOver.withLock { $0 = true }
      hasEnded.wait()
    }
  }

  @Test("an endless statement is stopped")
  func stops() throws {
    let store = try Connection(inMemory: .own)
    let stopper = Stopper(store.interrupter)
    let error = sqliteError { _ = try store.integer(Self.endless) }
    stopper.stop()
    #expect(error?.isInterrupted == true)
    #expect(try store.integer("SELECT 1") == 1)
  }

  @Test("interrupting while the connection is being closed does no harm")
  func closing() throws {
    for _ in 0..<100 {
      let store = try Connection(inMemory: .own)
      let stopper = Stopper(store.interrupter)
      try store.close()
      store.interrupter.interrupt()
      stopper.stop()
    }
  }
}
