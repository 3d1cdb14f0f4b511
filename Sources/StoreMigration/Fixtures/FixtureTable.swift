internal import CoreDataStore
internal import SQLite

/// Where the objects of one entity go, and what they have unless the caller says otherwise.
struct FixtureTable {
  /// A row before it is there.
  struct Row {
    fileprivate var values: [Value]
    private let places: [String: Int]

    fileprivate init(_ values: [Value], _ places: [String: Int]) {
      (self.values, self.places) = (values, places)
    }

    /// Puts a value into its column.
    mutating func set(_ cell: (column: String, value: Value)) {
      if let place = places[cell.column] { values[place] = cell.value }
    }
  }

  let layout: EntityLayout
  private let statement: Statement
  private let defaults: [Value]
  private let places: [String: Int]

  /// - Throws: ``Failure`` when there is no such entity, or when it has no objects of its own.
  init(_ schema: StoreSchema, _ entity: String, _ connection: Connection) throws {
    let layout = try schema.layout(of: entity)
    try layout.refuseAbstract()
    self.layout = layout
    let own = layout.properties.flatMap { layout[$0]?.columns ?? [] }.map(\.name)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + own
    places = Dictionary(zip(names, names.indices)) { first, _ in first }
    var row = Row(
      [.null, .integer(Int64(layout.number)), .integer(1)] + own.map { _ in .null }, places)
    for cell in ObjectValues.defaults(of: layout, in: schema) { row.set(cell) }
    defaults = row.values
    let list = names.map { Identifier.quoted($0) }.joined(separator: ", ")
    let parameters = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    statement = try connection.prepare(
      "INSERT INTO \(Identifier.quoted(layout.table)) (\(list)) VALUES (\(parameters))")
  }

  /// A row with the model's defaults.
  func row(key: Int64) -> Row {
    var row = Row(defaults, places)
    row.values[0] = .integer(key)
    return row
  }

  /// Puts a row into the store.
  func insert(_ row: Row) throws(SQLiteError) {
    try statement.bind(row.values)
    try statement.run()
  }
}
