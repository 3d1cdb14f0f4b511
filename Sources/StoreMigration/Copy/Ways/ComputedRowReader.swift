internal import CoreDataStore
internal import SQLite

/// How a second connection reads the values that functions of a script need, by ranges of keys.
package struct ComputedRowSelection: Sendable {
  /// The source's file.
  let path: String
  let sql: String
  private let columns: [String: Int]

  /// The values of these attributes of a source entity; nil where a second connection cannot, or
  /// should not, read the rows.
  init?(
    _ expressions: RowExpressions, _ builder: StoreBuilder, attributes: Set<String>
  ) throws {
    let source = expressions.source
    guard try builder.isReadBeside(source.name) else { return nil }
    var (values, columns) = (["s.Z_PK"], [String: Int]())
    for name in attributes.sorted() {
      guard let column = source.column(named: name) else { return nil }
      columns[name] = values.count
      values.append("s.\(Identifier.quoted(column.name))")
    }
    (path, self.columns) = (builder.sourcePath, columns)
    sql = """
      SELECT \(values.joined(separator: ", "))
      FROM \(Identifier.quoted(source.table, in: "source")) AS s
      WHERE s.Z_ENT = \(source.number) AND s.Z_PK BETWEEN ?1 AND ?2
      \(expressions.conditions.map { "AND (\($0))" } ?? "") ORDER BY s.Z_PK
      """
  }

  /// The column that holds an attribute; column 0 is the key.
  package func column(of attribute: String) -> Int? { columns[attribute] }
}

/// Reads rows of the source on a connection of its own, which belongs to one thread.
package final class ComputedRowReader {
  private let statement: Statement

  /// Opens the source a second time, for reading.
  package init(_ selection: ComputedRowSelection) throws {
    let connection = try Connection(inMemory: .own)
    try connection.attach(selection.path, as: "source", .readOnlyAgain)
    statement = try connection.prepare(selection.sql)
  }

  /// Where the statement's handle is; good as long as this lives.
  package var address: UInt { statement.address }

  /// Turns to the rows of these keys.
  package func turn(to keys: ClosedRange<Int64>) throws {
    statement.reset()
    try statement.bind([.integer(keys.lowerBound), .integer(keys.upperBound)])
  }

  /// Lets go of the current row, and of the lock on the file.
  package func rest() { statement.reset() }
}
