internal import CoreDataStore
internal import SQLite

/// Copies rows of one entity: by one statement where SQL can do it all, else row by row.
struct RowCopy {
  private let builder: StoreBuilder
  private let expressions: RowExpressions
  private let selection: String
  private let insertion: String

  /// The copying of the rows that a filter lets pass.
  ///
  /// The new row's Z_PK is an expression over `s` and what is joined. The filter's own parameters
  /// are numbered after those of the expressions. `limit` is how many rows at most, an expression.
  init(
    _ builder: StoreBuilder, _ expressions: RowExpressions, key: String, join: String = "",
    filter: String, limit: String? = nil
  ) {
    self.builder = builder
    self.expressions = expressions
    let columns = expressions.columns
    let names = (["Z_PK"] + columns.map { Identifier.quoted($0.column) }).joined(separator: ", ")
    let table = Identifier.quoted(expressions.target.table, in: "main")
    let from = "FROM \(Identifier.quoted(expressions.source.table, in: "source")) AS s \(join)"
    let values = columns.map(\.sql)
    let order = "ORDER BY s.Z_PK" + (limit.map { " LIMIT \($0)" } ?? "")
    if expressions.needsRows {
      let list = ([key, "s.Z_PK"] + values).joined(separator: ", ")
      selection = "SELECT \(list) \(from) WHERE \(filter) \(order)"
      let parameters = (1...columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
      insertion = "INSERT INTO \(table) (\(names)) VALUES (\(parameters))"
    } else {
      let list = ([key] + values).joined(separator: ", ")
      selection = "SELECT \(list) \(from) WHERE \(filter) \(order)"
      insertion = "INSERT INTO \(table) (\(names)) \(selection)"
    }
  }

  /// Copies the rows that the values of the filter's parameters mean; gives back how many.
  func run(_ values: [Value]) throws -> Int {
    let values = expressions.bindings + values
    let connection = builder.connection
    guard expressions.needsRows else { return try connection.run(insertion, values) }
    let insert = try connection.prepare(insertion, cached: true)
    var count = 0
    try connection.query(selection, values) { row in
      try copy(row, with: insert)
      count += 1
    }
    return count
  }

  private func copy(_ row: borrowing Row, with insert: Statement) throws {
    let key = row.integer(1) ?? 0
    try insert.bind(1, fromColumn: 0, of: row)
    for (offset, column) in expressions.columns.enumerated() {
      if let change = column.change {
        try insert.bind(try change.value(of: try row.value(offset + 2), key: key), at: offset + 2)
      } else {
        try insert.bind(offset + 2, fromColumn: offset + 2, of: row)
      }
    }
    defer { insert.clear() }
    try insert.run()
  }
}
