import CoreData
import Foundation

/// Core Data will not migrate a store, or cannot finish.
struct Refusal: Error, CustomStringConvertible {
  let description: String

  // NSMigrationError, NSMigrationConstraintViolationError, NSMigrationMissingMappingModelError and
  // NSInferredMappingModelError. A model that is not found, 134130, is none of them: that would be
  // a mistake of the proof.
  private static let codes = [134_110, 134_111, 134_140, 134_190]

  /// The refusal that an error stands for, if it is one.
  init?(_ error: any Error) {
    let chain = Self.chain(of: error as NSError)
    guard chain.contains(where: Self.refuses) else { return nil }
    description = chain.map { error in
      let reason = error.userInfo["reason"] ?? error.userInfo["Reason"] ?? ""
      return "\(error.code) \(reason)"
    }.joined(separator: ", because ")
  }

  private static func refuses(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain && codes.contains(error.code)
      // SQLITE_CONSTRAINT: values that a new unique index does not allow.
      || error.domain == NSSQLiteErrorDomain && error.code & 0xFF == 19
  }

  private static func chain(of error: NSError) -> [NSError] {
    [error] + error.underlyingErrors.flatMap { chain(of: $0 as NSError) }
  }
}
