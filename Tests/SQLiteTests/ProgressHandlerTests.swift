import SQLite
import Testing

@Suite("Progress and deadlines") struct ProgressHandlerTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
  private let store: Connection

  init() throws { store = try Connection(inMemory: .own) }

  @Test("a statement continues for as long as the closure says so")
  func goesOn() throws {
    var asked = 0
    store.onProgress(every: 100) {
      asked += 1
      return asked < 10
    }
    #expect(sqliteError { _ = try store.integer(Self.endless) }?.isInterrupted == true)
    #expect(asked == 10)
    store.stopProgress()
    #expect(try store.integer("SELECT 1") == 1)
  }

  @Test("a deadline stops what is endless, and says so")
  func deadline() throws {
    let error = sqliteError {
      try store.withDeadline(.milliseconds(20)) { _ = try store.integer(Self.endless) }
    }
    #expect(error?.message.contains("had not ended") == true)
  }

  @Test("work that ends in time is not touched, and its answer comes through")
  func inTime() throws {
    #expect(try store.withDeadline(.seconds(60)) { try store.integer("SELECT 7") } == 7)
  }

  @Test("the handler from before is asked during a deadline and back after it")
  func nested() throws {
    var isWanted = true
    store.onProgress(every: 100) { isWanted }
    #expect(try store.withDeadline(.seconds(60)) { try store.integer("SELECT 7") } == 7)
    isWanted = false
    let error = sqliteError {
      try store.withDeadline(.seconds(600)) { _ = try store.integer(Self.endless) }
    }
    #expect(error?.isInterrupted == true && error?.message.contains("had not ended") == false)
    #expect(sqliteError { _ = try store.integer(Self.endless) }?.isInterrupted == true)
  }
}
