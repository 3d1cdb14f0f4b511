internal import CSQLite
internal import OperatingSystem

/// What a connection asks every so many steps of its virtual machine.
final class ProgressHandler {
  let steps: Int32
  let shouldGoOn: () -> Bool

  init(steps: Int32, shouldGoOn: @escaping () -> Bool) {
    self.steps = steps
    self.shouldGoOn = shouldGoOn
  }
}

extension Connection {
  /// Asks `shouldGoOn` about every `steps` steps of a running statement; false interrupts it.
  ///
  /// The closure must not use the connection. It replaces the one before.
  package func onProgress(every steps: Int32, _ shouldGoOn: @escaping () -> Bool) {
    install(ProgressHandler(steps: steps, shouldGoOn: shouldGoOn))
  }

  /// Asks no more.
  package func stopProgress() { install(nil) }

  /// Runs `body` and stops whatever statement is still running when the time is over.
  ///
  /// For files that others made: a view or a deep join can run without end. The progress handler
  /// that was there before is asked as well and is back afterwards.
  package func withDeadline<Result>(
    _ limit: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let before = progress
    let deadline = Deadline(in: limit)
    var isOver = false
    defer { install(before) }
    install(
      ProgressHandler(steps: 1000) {
        isOver = isOver || deadline.isOver
        return !isOver && before?.shouldGoOn() ?? true
      })
    do {
      return try body()
    } catch let error as SQLiteError where error.isInterrupted && isOver {
      throw SQLiteError(
        error.extendedCode, "stopped: it had not ended after \(limit)", sql: error.sql, path: path)
    }
  }

  /// Runs `body`, and interrupts whatever statement is running once `stops` says so.
  package func interrupting<Result, Refusal>(
    when stops: @escaping () -> Bool, _ body: () throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let before = progress
    defer { install(before) }
    install(ProgressHandler(steps: 1000) { !stops() && before?.shouldGoOn() ?? true })
    return try body()
  }

  private func install(_ handler: ProgressHandler?) {
    progress = handler
    guard let handler else {
      unsafe sqlite3_progress_handler(handleIfOpen, 0, nil, nil)
      return
    }
    // Unretained: the connection holds the handler for as long as SQLite knows of it.
    let context = unsafe Unmanaged.passUnretained(handler).toOpaque()
    unsafe sqlite3_progress_handler(
      handleIfOpen, handler.steps,
      { context in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.shouldGoOn() ? 0 : 1
      }, context)
  }

  /// How long a statement waits for another connection's lock before it fails with `isBusy`.
  package func wait(forLocks limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    _ = unsafe sqlite3_busy_timeout(handleIfOpen, Int32(clamping: milliseconds))
  }
}
