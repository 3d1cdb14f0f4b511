internal import Foundation
internal import Lua
internal import Synchronization

/// The thread a run has to itself: its work waits for disks, and scripts need a stack of 8 MiB.
///
/// Swift's own threads are few and have a small stack; a run that kept one of them busy for an hour
/// would take it from the rest of the program.
final class RunThread: TaskExecutor {
  private let state = Mutex(State())
  private let ready = DispatchSemaphore(value: 0)

  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  /// Whether the task is on such a thread already.
  @TaskLocal private static var isOn = false

  /// Runs the body, and all it waits for, on a thread of its own; within another such body, on the
  /// thread of that.
  ///
  /// - Throws: ``ThreadRefusal`` when the system has none to give, and what the body throws.
  static func run<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    if isOn { return try await body() }
    let executor = RunThread()
    try ScriptThread.start { executor.work() }
    defer { executor.end() }
    return try await $isOn.withValue(true) {
      try await withTaskExecutorPreference(executor) { try await body() }
    }
  }

  /// Takes a piece of the task that runs here.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    ready.signal()
  }

  private func end() {
    state.withLock { $0.isOver = true }
    ready.signal()
  }

  private func work() {
    while true {
      ready.wait()
      let (job, isOver) = state.withLock { state in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isOver)
      }
      if let job {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }
}
