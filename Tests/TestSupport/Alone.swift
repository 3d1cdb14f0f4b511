public import Testing

/// Runs the tests that have it one at a time.
///
/// For as long as a process of an exit test runs, the testing library reads from it and keeps one
/// of the threads that tests have, as many as there are cores. Processes that wait for their tests
/// would take them all, and wait for ever.
public struct Alone: TestTrait, TestScoping {
  private static let turn = Turn()

  /// Waits for its turn, then runs the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await body() }
    await Self.turn.take()
    do {
      try await body()
      await Self.turn.give()
    } catch {
      await Self.turn.give()
      throw error
    }
  }
}

extension Trait where Self == Alone {
  /// The test does not run together with others that have this.
  public static var alone: Self { Alone() }
}

/// What one has at a time, and the others wait for.
private actor Turn {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
