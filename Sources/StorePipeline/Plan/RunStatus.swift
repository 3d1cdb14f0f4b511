internal import CoreDataStore

/// The status with which a program ends that an error has stopped: the one table of them, for runs,
/// their hooks and events, and every command.
package enum RunStatus {
  package static func of(_ error: any Error) -> Int32 {
    switch error {
    case let error as Failure: error.kind.status
    case let error as PipelineFileError: of(error.problems)
    case let error as Problem: of([error])
    case let error as ScriptFailure: (error.isOfStore ? Failure.Kind.unusable : .misuse).status
    case is CancellationError: 130
    default: Failure.Kind.refused.status
    }
  }

  /// The status of mistakes in files of the user's.
  package static func of(_ problems: [Problem]) -> Int32 {
    (problems.contains(where: \.isRefusal) ? Failure.Kind.refused : .misuse).status
  }
}
