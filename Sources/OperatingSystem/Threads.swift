internal import SystemHost

/// Threads of one's own, for what waits long, or computes while another one reads.
///
/// Those of Dispatch are started again and again when the system has none left, so that a caller
/// waits for ever for its work; here it learns of it.
package enum Threads {
  /// How long a processor has worked for this thread, which is not while the thread waits.
  package static var time: Duration { .nanoseconds(sh_thread_time()) }

  /// Runs the body on a thread with a stack of so many bytes.
  ///
  /// - Throws: ``ThreadRefusal`` when the system has none to give.
  package static func start(
    stack: Int, _ body: @escaping @Sendable () -> Void
  ) throws(ThreadRefusal) {
    let errand = unsafe Unmanaged.passRetained(Errand(body))
    let number = unsafe sh_start_thread(
      stack,
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
}

/// The system has no thread to give: "The system lacked the necessary resources to create another
/// thread" (POSIX, pthread_create).
package struct ThreadRefusal: Error, Equatable, CustomStringConvertible {
  /// The system's reason.
  package let number: Int32

  /// Sentences for the user.
  package var description: String {
    let reason = SystemError.words(number)
    return "a thread cannot be started: \(reason)\nEnd other programs, or raise the limits that "
      + "`ulimit -u` and `ulimit -v` show, and try again."
  }
}
