internal import OperatingSystem
internal import SQLite

/// Restates the errors of lower layers in the words of what was being done to a store.
package func replacing<Result>(
  _ what: String, _ subject: String, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as SQLiteError {
    throw Failure(error, what: what, subject: error.path ?? subject)
  } catch let error as SystemError {
    throw Failure(error, what: what, subject: subject)
  }
}
