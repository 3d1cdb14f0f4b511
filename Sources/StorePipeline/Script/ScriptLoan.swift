import CoreDataStore
import Lua

extension ScriptThread {
  /// Runs the body on a thread with a stack for scripts; the one that calls lends it what it has.
  static func lend<Success>(_ body: () throws -> Success) throws -> Success {
    try withoutActuallyEscaping(body) { body in
      let errand = Errand(body)
      try run { errand.run() }
      return try errand.result()
    }
  }

  /// What another thread is to do while this one waits, and what came of it.
  ///
  /// Sendable because the two threads never look at it at the same time. It gives away both: the
  /// other thread may live on for a moment, and must not keep a store open.
  private final class Errand<Success>: @unchecked Sendable {
    private var body: (() throws -> Success)?
    private var outcome: Result<Success, any Error>?

    init(_ body: @escaping () throws -> Success) { self.body = body }

    func run() {
      guard let body else { return }
      self.body = nil
      outcome = Result(catching: body)
    }

    func result() throws -> Success {
      defer { outcome = nil }
      guard let outcome else {
        throw Failure.defect(
          "the body was not called", what: "cannot lend to the script", subject: "its thread")
      }
      return try outcome.get()
    }
  }
}
