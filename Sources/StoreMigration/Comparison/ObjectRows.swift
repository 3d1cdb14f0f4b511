internal import SQLite

/// The objects of one entity of one store, in the order in which the two stores are merged.
final class ObjectRows {
  /// Where the links of a relationship come from.
  private enum Links {
    case none
    /// Columns of the object's own row: the key of the other object, and its partner's.
    case columns(Int, Int)
    /// Rows of another table, which are not read before they are asked for.
    case rows(() throws -> LinkCursor)
  }

  /// Whether there is no object any more.
  private(set) var isAtEnd = false
  /// The key in the first store that decides the order.
  private(set) var place: Int64 = 0
  /// The object's own key.
  private(set) var key: Int64 = 0
  /// The column of each attribute of the pair, where this store has it.
  let columns: [Int?]
  private let statement: Statement
  private let links: [Links]
  private var cursors: [LinkCursor?]

  var row: Row { statement.row }
  /// Whether the object meets the condition.
  var isWanted: Bool { statement.row.integer(2) == 1 }

  /// The rows of a roster; `attributes` and `rows` say where this store has each property.
  init(
    _ store: ComparedStore, _ roster: Roster, condition: String?,
    attributes: [AttributeColumn?], links: [(rows: LinkRows?, partner: (String) -> String)],
    table: String
  ) throws {
    var selected = [roster.place, "s.Z_PK", condition.map { "(\($0))" } ?? "0"]
    func add(_ expression: String) -> Int {
      selected.append(expression)
      return selected.count - 1
    }
    columns = attributes.map { $0.map { add("s.\(Identifier.quoted($0.name))") } }
    self.links = links.map { link in
      guard let rows = link.rows else { return .none }
      guard rows.owner == "Z_PK", rows.table == table else {
        return .rows { try LinkCursor(store, roster, rows, partner: link.partner) }
      }
      let column = "s.\(Identifier.quoted(rows.destination))"
      return .columns(add(column), add(link.partner(column)))
    }
    cursors = Array(repeating: nil, count: links.count)
    statement = try store.connection.prepare(
      """
      SELECT \(selected.joined(separator: ", ")) FROM \(roster.from)
      WHERE \(roster.condition) ORDER BY 1, 2
      """)
    try advance()
  }

  /// Goes to the next object.
  func advance() throws {
    guard try statement.step() else {
      isAtEnd = true
      return
    }
    place = statement.row.integer(0) ?? 0
    key = statement.row.integer(1) ?? 0
  }

  /// The links of the object's relationship of this number, in their order.
  func links(_ number: Int) throws -> [ComparedLink] {
    switch links[number] {
    case .none: return []
    case .columns(let own, let partner):
      guard let key = statement.row.integer(own) else { return [] }
      return [ComparedLink(key: key, partner: statement.row.integer(partner))]
    case .rows(let open):
      let cursor = try cursors[number] ?? open()
      cursors[number] = cursor
      return try cursor.links(of: key, at: place)
    }
  }
}

/// One link: the key of the object it leads to, and the key that one has in the first store.
struct ComparedLink: Hashable {
  let key: Int64
  /// Nil for an object that the first store does not have.
  let partner: Int64?
}

/// The links of one relationship, read along with the objects that have it.
final class LinkCursor {
  private let statement: Statement
  private var isAtEnd = false
  private var last: (place: Int64, key: Int64, links: [ComparedLink])?

  init(
    _ store: ComparedStore, _ roster: Roster, _ rows: LinkRows, partner: (String) -> String
  ) throws {
    let far = "l.\(Identifier.quoted(rows.destination))"
    let order = rows.position.map { "l.\(Identifier.quoted($0)), " } ?? ""
    statement = try store.connection.prepare(
      """
      SELECT \(roster.place), s.Z_PK, \(far), \(partner(far)) FROM \(roster.from)
      CROSS JOIN \(Identifier.quoted(rows.table, in: "main")) AS l
      ON l.\(Identifier.quoted(rows.owner)) = s.Z_PK
      WHERE \(roster.condition) AND \(far) IS NOT NULL ORDER BY 1, 2, \(order)\(far)
      """)
    try step()
  }

  private func step() throws { isAtEnd = try !statement.step() }

  /// The links of an object; objects must be asked for in their order.
  func links(of key: Int64, at place: Int64) throws -> [ComparedLink] {
    if let last, last.place == place, last.key == key { return last.links }
    var links: [ComparedLink] = []
    while !isAtEnd {
      let own = (statement.row.integer(0) ?? 0, statement.row.integer(1) ?? 0)
      if own > (place, key) { break }
      if own == (place, key), let far = statement.row.integer(2) {
        links.append(ComparedLink(key: far, partner: statement.row.integer(3)))
      }
      try step()
    }
    last = (place, key, links)
    return links
  }
}
