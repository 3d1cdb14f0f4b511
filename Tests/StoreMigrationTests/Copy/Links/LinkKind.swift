import CoreDataStore
import SQLite

/// A relationship `A.r`, with or without its inverse `B.s`, or that one alone, and links for it.
enum LinkKind: String, CaseIterable {
  case none
  case one
  case oneToOne
  case manyToOne
  case many
  case oneToMany
  case manyToMany
  case backToOne
  case backToMany

  /// Whether `r` and `s` lead to many; nil for one that is not there.
  var isToMany: (r: Bool?, s: Bool?) {
    switch self {
    case .none: (nil, nil)
    case .one: (false, nil)
    case .oneToOne: (false, false)
    case .manyToOne: (false, true)
    case .many: (true, nil)
    case .oneToMany: (true, false)
    case .manyToMany: (true, true)
    case .backToOne: (nil, false)
    case .backToMany: (nil, true)
    }
  }

  /// Whether some relationship is there before and after, so that links have a way.
  func leads(to other: LinkKind) -> Bool {
    isToMany.r != nil && other.isToMany.r != nil || isToMany.s != nil && other.isToMany.s != nil
  }

  /// Whether an A has one B, and a B one A.
  var isOne: (forward: Bool, backward: Bool) {
    switch self {
    case .none, .manyToMany: (false, false)
    case .one, .manyToOne, .backToMany: (true, false)
    case .oneToOne: (true, true)
    case .many, .oneToMany, .backToOne: (false, true)
    }
  }

  /// The model, its to-manys ordered or not.
  func xml(isOrdered: Bool = false) -> String {
    func relationship(_ name: String, _ toMany: Bool?, _ to: String, _ back: String?) -> String {
      guard let toMany else { return "" }
      let count = toMany ? (isOrdered ? "ordered=\"YES\"" : "") : "maxCount=\"1\""
      let inverse = back.map { "inverseName=\"\($0)\" inverseEntity=\"\(to)\"" } ?? ""
      return "<relationship name=\"\(name)\" optional=\"YES\" \(count) "
        + "destinationEntity=\"\(to)\" \(inverse)/>"
    }
    let (r, s) = isToMany
    return "<entity name=\"A\">\(relationship("r", r, "B", s == nil ? nil : "s"))</entity>"
      + "<entity name=\"B\">\(relationship("s", s, "A", r == nil ? nil : "r"))</entity>"
  }

  /// The links of a store of this kind, whose order is downwards.
  func links(isOrdered: Bool) -> [SampleLink] {
    let pairs: [(Int64, Int64)] =
      switch self {
      case .none: []
      case .one, .manyToOne, .backToMany: [(1, 11), (2, 11), (3, 12)]
      case .oneToOne: [(1, 11), (2, 12)]
      case .many, .oneToMany, .backToOne: [(1, 11), (1, 12), (1, 13), (2, 14)]
      case .manyToMany: [(1, 11), (1, 12), (2, 11), (2, 13), (3, 13)]
      }
    let links = pairs.map { SampleLink(a: $0.0, b: $0.1) }
    guard isOrdered else { return links }
    return links.map { link in
      var link = link
      let after = links.count { $0.a == link.a && $0.b > link.b }
      let before = links.count { $0.b == link.b && $0.a > link.a }
      if isToMany.r == true { link.forward = 2048 + 1024 * Int64(after) }
      if isToMany.s == true { link.backward = 2048 + 1024 * Int64(before) }
      return link
    }
  }
}

/// A link, and its places in both directions where it has any.
struct SampleLink: Hashable {
  var a: Int64
  var b: Int64
  var forward: Int64?
  var backward: Int64?
}

/// The links of a store, written and read by what its schema says.
struct SampleLinks {
  let connection: Connection
  let schema: StoreSchema

  private var r: PropertyStorage? { schema.entity(named: "A")?["r"] }
  private var s: PropertyStorage? { schema.entity(named: "B")?["s"] }

  func write(_ links: [SampleLink]) throws {
    for link in links {
      if case .toOne(let column) = r { try set("ZA", link.a, column.key, link.b) }
      if case .toOne(let column) = r { try set("ZA", link.a, column.position, link.backward) }
      if case .toOne(let column) = s { try set("ZB", link.b, column.key, link.a) }
      if case .toOne(let column) = s { try set("ZB", link.b, column.position, link.forward) }
      if case .toMany(let column) = r, !column.hasInverse {
        try set("ZB", link.b, column.key, link.a)
        try set("ZB", link.b, column.position, link.forward)
      }
      if case .toMany(let column) = s, !column.hasInverse {
        try set("ZA", link.a, column.key, link.b)
        try set("ZA", link.a, column.position, link.backward)
      }
      if case .manyToMany(let join) = r {
        try connection.run(
          "INSERT INTO \(join.table) (\(join.source), \(join.destination)) VALUES (?1, ?2)",
          [.integer(link.a), .integer(link.b)])
        for (position, value) in positions(join) {
          guard let position else { continue }
          try connection.run(
            "UPDATE \(join.table) SET \(position) = ?1 WHERE \(join.source) = ?2 "
              + "AND \(join.destination) = ?3",
            [link[keyPath: value].map(Value.integer) ?? .null, .integer(link.a), .integer(link.b)])
        }
      }
    }
  }

  private func positions(
    _ join: JoinStorage
  ) -> [(column: String?, value: KeyPath<SampleLink, Int64?>)] {
    var back: String?
    if case .manyToMany(let storage) = s { back = storage.position }
    return [(join.position, \.forward), (back, \.backward)]
  }

  private func set(
    _ table: String, _ key: Int64, _ column: StoreColumn?, _ value: Int64?
  ) throws {
    guard let column else { return }
    try connection.run(
      "UPDATE \(table) SET \(column.name) = ?1 WHERE Z_PK = ?2",
      [value.map(Value.integer) ?? .null, .integer(key)])
  }

  /// The links by each of the places where they stand: two that must agree for one to one.
  func read() throws -> [Set<SampleLink>] {
    var found: [Set<SampleLink>] = []
    if case .toOne(let column) = r {
      found.append(
        try rows("Z_PK, \(column.key.name), NULL, \(column.position?.name ?? "NULL")", "ZA"))
    }
    if case .toOne(let column) = s {
      found.append(
        try rows("\(column.key.name), Z_PK, \(column.position?.name ?? "NULL"), NULL", "ZB"))
    }
    if case .toMany(let column) = r, !column.hasInverse {
      found.append(
        try rows("\(column.key.name), Z_PK, \(column.position?.name ?? "NULL"), NULL", "ZB"))
    }
    if case .toMany(let column) = s, !column.hasInverse {
      found.append(
        try rows("Z_PK, \(column.key.name), NULL, \(column.position?.name ?? "NULL")", "ZA"))
    }
    if case .manyToMany(let join) = r {
      let places = positions(join).map { $0.column ?? "NULL" }.joined(separator: ", ")
      found.append(try rows("\(join.source), \(join.destination), \(places)", join.table))
    }
    return found
  }

  private func rows(_ columns: String, _ table: String) throws -> Set<SampleLink> {
    Set(
      try connection.rows("SELECT \(columns) FROM \(table)").compactMap { row in
        guard let a = row[0].integer, let b = row[1].integer else { return nil }
        return SampleLink(a: a, b: b, forward: row[2].integer, backward: row[3].integer)
      })
  }
}
