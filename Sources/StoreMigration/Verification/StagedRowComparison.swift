internal import CoreDataStore
internal import Formats
internal import SQLite

// How rows are compared, one by one.

extension StagedRows {
  final class Comparison: StagedRowComparing {
    let statement: Statement

    private let rows: ComputedRows
    private let staged: StagedRows
    private let connection: Connection
    private let columns: [StoreColumn]
    private let layout: EntityLayout
    private let table: String
    private let checks: [ColumnCheck]

    init(_ rows: ComputedRows, _ staged: StagedRows, _ connection: Connection) throws {
      (self.rows, self.staged, self.connection) = (rows, staged, connection)
      (columns, layout) = (rows.columns.computed, rows.columns.expressions.target)
      let first = ComputedRowColumns.key + 1
      table = "\(Identifier.quoted(layout.table, in: StagedMark.name)) AS t"
      checks = columns.enumerated().map { ColumnCheck($1, is: "?\(first + $0)") }
      let values = (0...columns.count).map { "?\(ComputedRowColumns.key + $0)" }
      statement = try connection.prepare(
        """
        SELECT \(values.joined(separator: ", ")) WHERE NOT EXISTS
        (SELECT 1 FROM \(table) WHERE \(Self.own(layout)) AND \(ColumnCheck.all(checks)))
        """, cached: true)
    }

    /// The row of the key that the first parameter has.
    private static func own(_ layout: EntityLayout) -> String {
      "t.Z_PK = ?\(ComputedRowColumns.key) AND t.Z_ENT = \(layout.number)"
    }

    func take() throws {
      let made = try statement.row.values()
      let key = made.first?.integer ?? 0
      let list = (checks.map(\.sql) + columns.map { "t.\(Identifier.quoted($0.name))" })
        .joined(separator: ", ")
      let found = try connection.prepare(
        "SELECT \(list) FROM \(table) WHERE \(Self.own(layout))", cached: true)
      try found.bind(made)
      guard try found.step() else { return try add(.missing, key) }
      for (place, column) in columns.enumerated() where found.row.integer(place) != 1 {
        let there = try found.row.value(columns.count + place)
        let areFiles = [there, made[place + 1]].allSatisfy(Self.isReference)
        try add(areFiles ? .blob : .script, key, column.propertyName, made[place + 1])
      }
    }

    private static func isReference(_ value: Value) -> Bool {
      value.blob.flatMap(ExternalReference.init(stored:)) != nil
    }

    private func add(
      _ kind: VerificationDifference.Kind, _ key: Int64, _ property: String = "",
      _ made: Value = .null
    ) throws {
      try staged.add(
        VerificationDifference(kind, layout.name, key, property), made: made, rows, connection)
    }

    func leaveOut(_ key: Int64) throws {
      let there = try connection.integer(
        "SELECT 1 FROM \(table) WHERE \(Self.own(layout))", [.integer(key)])
      if there == 1 { try add(.extra, key) }
    }

    func note(_ count: Int) { staged.note(rows: count) }

    /// The file that the row has, if that holds the value, or else one that no row has.
    func placed(
      _ value: AttributeValue, _ parameter: Int, of key: Int64
    ) throws -> AttributeValue {
      guard let bytes = ExternalValues.large(value) else { return value }
      let column = columns[parameter - ComputedRowColumns.key - 1]
      let place = StagedValues.Place(table: layout.table, column: column.name, key: key)
      let file = try StagedValues(staged, connection).file(with: bytes, at: place)
      return (file ?? ExternalReference(naming: bytes)).map(AttributeValue.external) ?? value
    }
  }
}

extension ExternalReference {
  /// The name that a value's digest gives a file: the same for the same value.
  fileprivate init?(naming bytes: [UInt8]) {
    let digits = Hex.encode(Digest.sha256(bytes)).uppercased()
    var (name, rest) = ("", digits[...])
    for length in [8, 4, 4, 4, 12] {
      name += (name.isEmpty ? "" : "-") + rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    self.init(name)
  }
}
