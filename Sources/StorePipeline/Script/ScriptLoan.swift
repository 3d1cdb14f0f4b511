import Lua

extension ScriptThread {
  /// Runs the body on a thread with a stack for scripts; the one that calls lends it what it has.
  static func lend<Result>(_ body: () throws -> Result) throws -> Result {
    try withoutActuallyEscaping(body) { body in
      let errand = Errand(body)
      return try run { Handed(value: try errand.run()) }.value
    }
  }

  /// What another thread is to do while this one waits, forgotten as soon as it is done.
  ///
  /// Sendable because the two threads never look at it at the same time.
  private final class Errand<Result>: @unchecked Sendable {
    private var body: (() throws -> Result)?

    init(_ body: @escaping () throws -> Result) { self.body = body }

    func run() throws -> Result {
      guard let body else { throw CancellationError() }
      self.body = nil
      return try body()
    }
  }
}

/// Something that is handed to another thread while the one that hands it waits.
///
/// Sendable because ``ScriptThread`` waits: the two threads never look at it at the same time.
private struct Handed<Value>: @unchecked Sendable {
  let value: Value
}
