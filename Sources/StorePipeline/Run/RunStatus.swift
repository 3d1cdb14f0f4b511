internal import CoreDataStore

/// The status with which a program ends whose run was stopped by an error.
enum RunStatus {
  /// The status of an error.
  static func of(_ error: any Error) -> Int32 {
    switch error {
    case let error as StoreError: error.category.status
    case let error as ModelError: error.isRefusal ? 4 : 3
    case let error as RunFailure: error.kind.rawValue
    case is PipelineFileError, is Problem, is ScriptFailure, is ConditionError: 2
    case is CancellationError: 130
    default: 4
    }
  }
}
