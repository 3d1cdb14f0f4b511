package import CoreDataStore
internal import Formats
package import SQLite

/// The store that a run has staged, while its scripts run a second time to be compared with it.
package protocol StagedStore: AnyObject {
  /// The path of its file, which no process writes.
  var path: String { get }
  /// What a twin has in the place of a large value that the staged row holds as well: no script can
  /// know it.
  var mark: StagedMark { get }

  /// Whether one of its large values is in a file that has these bytes and no others.
  func has(_ bytes: [UInt8], in file: ExternalReference) throws -> Bool
  /// What compares rows with its own; the connection reads it under ``StagedMark/name``.
  func comparison(of rows: ComputedRows, _ connection: Connection) throws -> any StagedRowComparing
}

/// Compares what functions of a script make of rows with the rows that a run has staged, each with
/// the one that has its key.
package protocol StagedRowComparing: AnyObject {
  /// Is given the values as a statement that makes a row would be, and gives them back where the
  /// row is not there or has others.
  var statement: Statement { get }

  /// Notes what differs in the row that the statement has given back.
  func take() throws
  /// Notes an object that the script leaves out, if it is there all the same.
  func leaveOut(_ key: Int64) throws
  /// Notes how many rows were compared.
  func note(_ count: Int)
  /// What the column of a value with external storage must hold; the parameter is the statement's.
  func placed(
    _ value: AttributeValue, _ parameter: Int, of key: Int64
  ) throws -> AttributeValue
}

/// Stands for a value in a twin of a staged store: bytes that are drawn by lot.
package struct StagedMark: Sendable {
  /// The name under which a connection that runs scripts again knows the staged store.
  static let name = "staged"

  let bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }

  /// A mark of its own for each comparison.
  package init() {}

  /// The mark as SQL writes it.
  var sql: String { "x'\(Hex.encode(bytes))'" }
}
