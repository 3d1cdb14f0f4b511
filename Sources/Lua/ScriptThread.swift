import Foundation
import OperatingSystem

/// Runs scripts on threads with a stack for them: secondary threads have 512 KiB on some systems,
/// and Lua's parser and nested calls use the machine's stack.
package enum ScriptThread {
  /// 8 MiB, what the main thread has.
  private static let stackSize = 8 << 20

  /// Runs the body on a thread of its own.
  ///
  /// - Throws: ``ThreadRefusal`` when the system has none to give.
  package static func start(_ body: @escaping @Sendable () -> Void) throws {
    try Threads.start(stack: stackSize, body)
  }

  /// Runs the body on a thread of its own and waits for it.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let answer = Answer<Value>()
    try start {
      answer.result = Result(catching: body)
      answer.done.signal()
    }
    answer.done.wait()
    guard let result = answer.result else {
      throw LuaError(kind: .error, message: "the script's thread ended without an answer")
    }
    return try result.get()
  }

  /// Written by one thread, read by the other after the semaphore says so.
  private final class Answer<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
    let done = DispatchSemaphore(value: 0)
  }
}
