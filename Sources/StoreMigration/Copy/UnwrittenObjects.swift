internal import CoreDataStore
internal import SQLite

/// Objects of the new store that a script has made and that have not been written yet.
///
/// Written as soon as it is made, an object is written again with its values, and once more with
/// each link; SQLite rewrites a large value with its row each time. So the columns are gathered
/// here until the script is done with the current object, or asks what the store holds.
final class UnwrittenObjects {
  private struct Row {
    let table: String
    var columns: [String]
    var values: [Value]
  }

  /// Whether objects are gathered; else they are written when they are made.
  var isGathering = false

  private let builder: StoreBuilder
  private var rows: [ObjectID: Row] = [:]
  private var order: [ObjectID] = []
  private var bytes = 0

  /// What large values may take here before they are written.
  private static let mostBytes = 8 << 20

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Takes up an object with its first columns.
  func add(
    _ object: ObjectID, _ layout: EntityLayout, _ columns: [(column: String, value: Value)]
  ) throws {
    rows[object] = Row(
      table: Identifier.quoted(layout.table, in: "main"), columns: columns.map(\.column),
      values: columns.map(\.value))
    order.append(object)
    if !isGathering { try write() }
  }

  /// Whether an object is here.
  func has(_ object: ObjectID) -> Bool { rows[object] != nil }

  /// Whether a column of an object that is here has been given a value.
  func has(_ column: String, of object: ObjectID) -> Bool {
    rows[object]?.columns.contains(column) == true
  }

  /// Puts values into columns of an object; false when it is not here.
  func put(_ columns: [(column: String, value: Value)], into object: ObjectID) throws -> Bool {
    guard var row = rows.removeValue(forKey: object) else { return false }
    for (column, value) in columns {
      bytes += value.size
      if let place = row.columns.firstIndex(of: column) {
        row.values[place] = value
      } else {
        row.columns.append(column)
        row.values.append(value)
      }
    }
    rows[object] = row
    if bytes > Self.mostBytes { try write() }
    return true
  }

  /// Writes all of them, in the order in which they were made.
  func write() throws {
    guard !order.isEmpty else { return }
    let objects = order
    for object in objects {
      guard let row = rows[object] else { continue }
      let names = row.columns.map { Identifier.quoted($0) }.joined(separator: ", ")
      let parameters = row.values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      try builder.telling(
        "cannot make an object", "entity \(object.entity), Z_PK \(object.key)"
      ) {
        try builder.connection.run(
          "INSERT INTO \(row.table) (\(names)) VALUES (\(parameters))", row.values)
      }
    }
    forget()
  }

  /// Forgets them: what they were made for is undone.
  func forget() { (rows, order, bytes) = ([:], [], 0) }
}

extension Value {
  /// The bytes it takes, where these are many.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.bytes.count
    case .blob(let bytes): bytes.count
    default: 0
    }
  }
}
