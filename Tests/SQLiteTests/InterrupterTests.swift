import SQLite
import TestSupport
import Testing

@Suite("Interruption from another thread") struct InterrupterTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test("an endless statement is stopped")
  func stops() async throws {
    let store = try Connection(inMemory: .own)
    let interrupter = store.interrupter
    let stopper = Task.detached {
      // An interrupt before the statement has begun would be lost: it is said until it is heard.
      while !Task.isCancelled {
        interrupter.interrupt()
        await Task.yield()
      }
    }
    let error = sqliteError { _ = try store.integer(Self.endless) }
    stopper.cancel()
    #expect(error?.isInterrupted == true)
    await stopper.value
    #expect(try store.integer("SELECT 1") == 1)
  }

  @Test("interrupting while the connection is being closed does no harm")
  func closing() async throws {
    for _ in 0..<200 {
      let store = try Connection(inMemory: .own)
      let interrupter = store.interrupter
      async let first: Void = Task.detached { for _ in 0..<50 { interrupter.interrupt() } }.value
      try? store.close()
      await first
      interrupter.interrupt()
    }
  }
}
