internal import CoreDataStore
internal import StoreMigration

/// The status with which a program ends that an error has stopped: the one table of them, for runs,
/// their hooks and events, and every command.
package enum RunStatus {
  /// The status of an error.
  package static func of(_ error: any Error) -> Int32 {
    switch error {
    case let error as StoreError: error.category.status
    case let error as ModelError: error.isRefusal ? 4 : 3
    case let error as RunFailure: error.kind.rawValue
    case let error as PipelineFileError: of(error.problems)
    case let error as Problem: of([error])
    case let error as ScriptFailure: error.isOfStore ? 3 : 2
    case is ConditionError, is ComparisonError: 2
    case is CancellationError: 130
    default: 4
    }
  }

  /// The status of mistakes in files of the user's.
  package static func of(_ problems: [Problem]) -> Int32 {
    problems.contains(where: \.isRefusal) ? 4 : 2
  }
}
