import Foundation
import LuaHost
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
    let errand = unsafe Unmanaged.passRetained(Errand(body))
    let number = unsafe lh_start_thread(
      stackSize,
      { errand in
        guard let errand = unsafe errand else { return }
        unsafe Unmanaged<Errand>.fromOpaque(errand).takeRetainedValue().body()
      }, errand.toOpaque())
    guard number == 0 else {
      unsafe errand.release()
      throw ThreadRefusal(number: number)
    }
  }

  /// What a thread is to do.
  private final class Errand: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
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

/// The system has no thread to give: "The system lacked the necessary resources to create another
/// thread" (POSIX, pthread_create).
package struct ThreadRefusal: Error, Equatable, CustomStringConvertible {
  /// The system's reason.
  let number: Int32

  /// Sentences for the user.
  package var description: String {
    let reason = SystemError.words(number)
    return "a thread cannot be started: \(reason)\nEnd other programs, or raise the limits that "
      + "`ulimit -u` and `ulimit -v` show, and try again."
  }
}
