internal import CoreDataStore
internal import SQLite

/// The large values of rows that a run has staged, as its scripts make them again: those that are
/// the same are not written a second time.
///
/// A twin of the staged store has a mark in the place of such a value, or the same file.
struct StagedValues {
  /// A column of a row, which is found by its key.
  struct Place {
    let table: String
    let column: String
    let key: Int64
  }

  private let staged: any StagedStore
  private let connection: Connection

  /// Shorter values are written: they cost less than to look for them.
  private static let fewest = 4096

  /// The values of staged rows that a connection reads.
  init(_ staged: any StagedStore, _ connection: Connection) {
    (self.staged, self.connection) = (staged, connection)
  }

  /// The file of the staged row, where that holds these bytes and no others.
  func file(with bytes: [UInt8], at place: Place) throws -> ExternalReference? {
    let reference = try value(at: place).blob.flatMap(ExternalReference.init(stored:))
    return try reference.flatMap { try staged.has(bytes, in: $0) ? $0 : nil }
  }

  /// The mark for a value that the staged row holds as well; nil for any other.
  func mark(for value: Value, at place: Place) throws -> Value? {
    guard case .blob(let bytes) = value, bytes.count >= Self.fewest else { return nil }
    let column = Identifier.quoted(place.column)
    let isAlike = try connection.integer(
      """
      SELECT typeof(\(column)) = 'blob' AND length(\(column)) = ?2 FROM \(table(place))
      WHERE Z_PK = ?1
      """, [.integer(place.key), .integer(Int64(bytes.count))])
    guard isAlike == 1 else { return nil }
    let handle = try BlobHandle(
      connection, schema: StagedMark.name, table: place.table, column: place.column,
      row: place.key)
    return try handle.contains(bytes) ? .blob(staged.mark.bytes) : nil
  }

  /// A value of the twin's, or the staged one where it has the mark.
  func value(_ value: Value, at place: Place) throws -> Value {
    value == .blob(staged.mark.bytes) ? try self.value(at: place) : value
  }

  private func value(at place: Place) throws -> Value {
    try connection.scalar(
      "SELECT \(Identifier.quoted(place.column)) FROM \(table(place)) WHERE Z_PK = ?1",
      [.integer(place.key)]) ?? .null
  }

  private func table(_ place: Place) -> String {
    Identifier.quoted(place.table, in: StagedMark.name)
  }

  /// An expression for a column of the twin, with the mark where the staged row has that value; the
  /// row's key is an expression, too.
  func marking(_ value: String, _ column: String, of table: String, key: String) -> String {
    """
    CASE WHEN typeof(\(value)) = 'blob' AND length(\(value)) >= \(Self.fewest)
    AND \(value) IS (SELECT w.\(Identifier.quoted(column))
    FROM \(Identifier.quoted(table, in: StagedMark.name)) AS w WHERE w.Z_PK = \(key))
    THEN \(staged.mark.sql) ELSE \(value) END
    """
  }
}
