internal import CoreDataStore
internal import SQLite

extension StoreFixture {
  /// Objects of a store that belong together, for a small store of these alone.
  ///
  /// The entities take turns. In its turn an entity gives the first object that chosen ones have
  /// led to, or else one from further along its keys: so the objects hang together, and come from
  /// all over the store. What an object cannot be saved without comes along with it. The same store
  /// gives the same objects each time.
  struct Choice {
    /// The keys of the chosen objects by table, each with the number of its entity.
    private(set) var chosen: [String: [Int64: Int]] = [:]
    private(set) var count = 0
    private let connection: Connection
    private let schema: StoreSchema
    private let wanted: Int
    private let links: [Int: [Link]]
    private var turns: [Int: Turn] = [:]
    private var entities: Set<Int> = []

    /// Chooses as many objects as are wanted: more where each entity is to have one, and where
    /// objects need others; fewer where there are no more.
    init(_ wanted: Int, of schema: StoreSchema, in connection: Connection) throws {
      self.wanted = wanted
      self.schema = schema
      self.connection = connection
      let numbered = schema.entities.map { ($0.number, Self.links(of: $0, schema)) }
      links = Dictionary(numbered) { first, _ in first }
      try choose()
    }

    /// Whether an object is among them; the number of its entity if it is.
    func number(_ table: String, _ key: Int64) -> Int? { chosen[table]?[key] }

    private mutating func choose() throws {
      var open = schema.entities.filter { !$0.isAbstract }
      for layout in open where !entities.contains(layout.number) {
        if let key = try next(of: layout) { try add(layout.table, key) }
      }
      while count < wanted, !open.isEmpty {
        var left: [EntityLayout] = []
        for layout in open where count < wanted {
          guard let key = try next(of: layout) else { continue }
          try add(layout.table, key)
          left.append(layout)
        }
        open = left
      }
    }

    /// Adds an object, and all that it needs.
    private mutating func add(_ table: String, _ key: Int64) throws {
      var waiting = [(table: table, key: key)]
      while let next = waiting.popLast() {
        guard number(next.table, next.key) == nil, let number = try entity(next.table, next.key)
        else { continue }
        guard count < most else { throw tooMany }
        chosen[next.table, default: [:]][next.key] = number
        entities.insert(number)
        count += 1
        for link in links[number] ?? [] {
          let keys = try connection.rows(link.sql, [.integer(next.key)]).compactMap(\.[0].integer)
          for (place, key) in keys.enumerated() where self.number(link.table, key) == nil {
            if place < link.needed {
              waiting.append((link.table, key))
            } else if let number = try entity(link.table, key) {
              turns[number, default: Turn()].ledTo.append(key)
            }
          }
        }
      }
    }

    /// A chain of mandatory relationships may lead through the whole store.
    private var most: Int { max(10_000, wanted.multipliedReportingOverflow(by: 20).partialValue) }

    private var tooMany: Failure {
      Failure(
        .unusable, what: "cannot choose objects", subject: connection.path,
        why: "Mandatory relationships lead from the objects that were asked for to more than "
          + "\(most) others.",
        remedy: "Ask for more objects, or make one of these relationships optional.")
    }

    /// The number of an object's entity; nil where there is no such object, or its entity can have
    /// none.
    private func entity(_ table: String, _ key: Int64) throws -> Int? {
      let found = try connection.rows(
        "SELECT Z_ENT FROM \(Identifier.quoted(table)) WHERE Z_PK = ?1", [.integer(key)])
      guard let row = found.first, let root = schema.table(named: table)?.root,
        let layout = schema.entity(named: root)
      else { return nil }
      if layout.isAlone { return layout.number }
      guard let number = row[0].integer.flatMap(Int.init(exactly:)),
        layout.family.contains(number), schema.entity(number: number)?.isAbstract == false
      else { return nil }
      return number
    }
  }
}

// Where objects lead.
extension StoreFixture.Choice {
  private struct Link {
    /// Gives the keys of the objects that the one with the key ?1 leads to.
    let sql: String
    /// The table that these objects are in, with those of their family.
    let table: String
    /// So many of them an object cannot be saved without.
    let needed: Int
  }

  /// So many objects of a relationship to many are looked at: those after it fill a small store
  /// with the objects of one owner.
  private static let lookedAt = 4

  private static func links(of layout: EntityLayout, _ schema: StoreSchema) -> [Link] {
    layout.properties.compactMap { name in
      guard let found = schema.model.relationship(name, ofEntity: layout.name),
        let table = schema.entity(named: found.destination)?.table
      else { return nil }
      let needed = max(found.minCount, found.isOptional ? 0 : 1)
      let limit = max(needed, lookedAt)
      switch layout[name] {
      case .toOne(let storage):
        let key = Identifier.quoted(storage.key.name)
        return Link(
          sql: """
            SELECT \(key) FROM \(Identifier.quoted(layout.table))
            WHERE Z_PK = ?1 AND \(key) IS NOT NULL
            """, table: table, needed: found.isOptional ? 0 : 1)
      case .toMany(let storage):
        let order = [storage.position?.name, "Z_PK"].compactMap(\.self).map(Identifier.quoted)
        return Link(
          sql: """
            SELECT Z_PK FROM \(Identifier.quoted(storage.table))
            WHERE \(Identifier.quoted(storage.key.name)) = ?1
            ORDER BY \(order.joined(separator: ", ")) LIMIT \(limit)
            """, table: table, needed: needed)
      case .manyToMany(let storage):
        let other = Identifier.quoted(storage.destination)
        let order = [storage.position.map(Identifier.quoted), other].compactMap(\.self)
        return Link(
          sql: """
            SELECT \(other) FROM \(Identifier.quoted(storage.table))
            WHERE \(Identifier.quoted(storage.source)) = ?1 AND \(other) IS NOT NULL
            ORDER BY \(order.joined(separator: ", ")) LIMIT \(limit)
            """, table: table, needed: needed)
      case .attribute, .notStored, nil: return nil
      }
    }
  }
}

// Which object of an entity comes next.
extension StoreFixture.Choice {
  /// What an entity has to give.
  private struct Turn {
    /// Objects that chosen ones have led to, in this order, and how many of them were taken.
    var ledTo: [Int64] = []
    var taken = 0
    /// Objects from all over the store, the next one last; nil before they were looked for.
    var spread: [Int64]?
    /// The key after which all others are looked at once the spread ones are taken.
    var last: Int64?
  }

  private mutating func next(of layout: EntityLayout) throws -> Int64? {
    var turn = turns[layout.number] ?? Turn()
    defer { turns[layout.number] = turn }
    while turn.taken < turn.ledTo.count {
      turn.taken += 1
      let key = turn.ledTo[turn.taken - 1]
      if number(layout.table, key) == nil { return key }
    }
    if turn.spread == nil { turn.spread = try spread(layout) }
    while true {
      while let key = turn.spread?.popLast() {
        if number(layout.table, key) == nil { return key }
      }
      let more = try connection.rows(
        """
        SELECT Z_PK FROM \(Identifier.quoted(layout.table))
        WHERE \(layout.isOwn()) AND (?1 IS NULL OR Z_PK > ?1) ORDER BY Z_PK LIMIT 256
        """, [turn.last.map(Value.integer) ?? .null]
      ).compactMap(\.[0].integer)
      guard let last = more.last else { return nil }
      turn.last = last
      turn.spread = more.reversed()
    }
  }

  /// Keys spread over the whole table, the next one last: the first, that in the middle, those
  /// between, so that the first few are spread as well as all.
  private func spread(_ layout: EntityLayout) throws -> [Int64] {
    let most = min(wanted, 4096)
    let keys = try connection.rows(SampledKeys(most, of: layout, in: "main").sql)
      .compactMap(\.[0].integer)
    let bits = Int.bitWidth - max(0, keys.count - 1).leadingZeroBitCount
    let order = (0..<(1 << bits)).map { place in
      (0..<bits).reduce(0) { $0 << 1 | (place >> $1) & 1 }
    }
    return order.filter { $0 < keys.count }.map { keys[$0] }.reversed()
  }
}
