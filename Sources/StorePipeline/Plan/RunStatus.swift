internal import CoreDataStore

/// The status with which a program ends that an error has stopped: the one table of them, for runs,
/// their hooks and events, and every command.
package enum RunStatus {
  /// Which status it is that a program ends with when it is stopped.
  private struct Stop: Sendable {
    let status: @Sendable () -> Int32
  }

  /// Without a program that knows which signal has come, it is that of Ctrl-C.
  @TaskLocal private static var stop = Stop { 130 }

  /// Runs the body; what it throws as `CancellationError`, and the tasks that it starts, has the
  /// status that a program says it will end with.
  package static func stopping<Value>(
    with status: @escaping @Sendable () -> Int32, _ body: () throws -> Value
  ) rethrows -> Value {
    try $stop.withValue(Stop(status: status), operation: body)
  }

  /// What is said of an error in events and in the record of a run.
  static func words(of error: any Error) -> String {
    error is CancellationError
      ? "The run was stopped between two pieces of work, and can be resumed." : "\(error)"
  }

  package static func of(_ error: any Error) -> Int32 {
    switch error {
    case let error as Failure: error.kind.status
    case let error as PipelineFileError: of(error.problems)
    case let error as Problem: of([error])
    case let error as ScriptFailure: (error.isOfStore ? Failure.Kind.unusable : .misuse).status
    case is CancellationError: stop.status()
    default: Failure.Kind.refused.status
    }
  }

  /// The status of mistakes in files of the user's.
  package static func of(_ problems: [Problem]) -> Int32 {
    (problems.contains(where: \.isRefusal) ? Failure.Kind.refused : .misuse).status
  }
}
