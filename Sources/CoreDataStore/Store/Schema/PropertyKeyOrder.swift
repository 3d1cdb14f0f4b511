/// The order in which Core Data lists the properties of each entity of a model.
///
/// Of two relationships that share a table of pairs the one that is met first names it. Core Data
/// meets them as a hash table lists its keys, so that the size of the table counts, and with it the
/// number of attributes. The tables and column names of all real stores known agree with this.
struct PropertyKeyOrder {
  private let numbered: NumberedModel
  private let columns: [PropertyReference: [StoreColumn]]
  /// The keys of the entities that were asked for, in the order that decides where keys collide.
  private var gathered: [String: GrowingKeyTable] = [:]

  init(_ numbered: NumberedModel, _ families: [FamilyColumns]) {
    self.numbered = numbered
    columns = families.reduce(into: [:]) { $0.merge($1.columns) { first, _ in first } }
  }

  /// The names of an entity's properties and of the columns that go with them, in that order.
  mutating func keys(of entity: Entity) -> [String] {
    FixedKeyTable(gather(entity).keys).keys
  }

  /// A parent's keys come first; then all attributes, then all relationships with their columns.
  private mutating func gather(_ entity: Entity) -> GrowingKeyTable {
    if let known = gathered[entity.name] { return known }
    let model = numbered.model
    var table = GrowingKeyTable()
    let first = model.parent(of: entity).map { gather($0).keys } ?? ["_ent", "_pk", "_opt"]
    for key in first { table.add(key) }
    let attributes = model.allAttributes(of: entity).filter {
      !$0.isTransient && $0.type != .undefined
    }
    for name in GrowingKeyTable(attributes.map(\.name)).keys { table.add(name) }
    for name in GrowingKeyTable(model.allRelationships(of: entity).map(\.name)).keys {
      for column in keyColumns(name, of: entity) { table.add("_\(column)") }
      table.add(name)
    }
    gathered[entity.name] = table
    return table
  }

  /// The columns of a relationship to one: the key, and the number of the destination's entity.
  private func keyColumns(_ name: String, of entity: Entity) -> [String] {
    guard let found = numbered.model.relationship(named: name, of: entity) else { return [] }
    let own = columns[PropertyReference(found.declaredBy.name, name)] ?? []
    return own.filter { column in
      switch column.role {
      case .toOne, .destinationEntity: true
      default: false
      }
    }.map(\.name)
  }
}

/// A hash table of a fixed number of places, as Core Data has one for the properties of an entity.
struct FixedKeyTable {
  /// How many keys a table takes, and how many places it has then.
  private static let sizes = [
    (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521),
    (521, 839), (843, 1361), (1364, 2207), (2207, 3571), (3571, 5779), (5778, 9349),
    (9349, 15121),
  ]

  private var places: [String?]

  init(_ keys: [String]) {
    // More keys than the largest table takes are more columns than SQLite allows.
    let size = Self.sizes.first { $0.0 >= keys.count }?.1 ?? 2 * keys.count
    places = Array(repeating: nil, count: size)
    for key in keys {
      var place = Int(KeyHash.shortened(key)) % size
      while places[place] != nil { place = (place + 1) % size }
      places[place] = key
    }
  }

  var keys: [String] { places.compactMap(\.self) }
}

/// A hash table that grows, in which the keys of an entity are gathered.
struct GrowingKeyTable {
  private var places: [String?] = []
  private var known: Set<String> = []
  private var limit = 3

  init(_ keys: [String] = []) { for key in keys { add(key) } }

  var keys: [String] { places.compactMap(\.self) }

  /// Adds a key; one that is there keeps its place.
  mutating func add(_ key: String) {
    guard known.insert(key).inserted else { return }
    if places.isEmpty || known.count - 1 == limit { grow(for: known.count - 1) }
    put(key)
  }

  private mutating func grow(for count: Int) {
    limit = 3 << Self.bits(count / 3)
    let old = keys
    places = Array(repeating: nil, count: 4 << Self.bits((limit - 1) / 3))
    for key in old { put(key) }
  }

  private mutating func put(_ key: String) {
    var place = Int(KeyHash.mixed(key)) & (places.count - 1)
    while places[place] != nil { place = (place + 1) & (places.count - 1) }
    places[place] = key
  }

  private static func bits(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }
}

/// The numbers that decide where a key goes.
enum KeyHash {
  /// Of a long name the first 8 and the last 16 characters count.
  static func shortened(_ key: String) -> UInt32 {
    let units = Array(key.utf16)
    let short = units.count < 24 ? units : Array(units.prefix(8) + units.suffix(16))
    return hash(short, length: units.count)
  }

  /// Of a very long name 32 characters at the beginning, in the middle and at the end count.
  static func mixed(_ key: String) -> UInt32 {
    let units = Array(key.utf16)
    let middle = units.count / 2 - 16
    let short =
      units.count <= 96
      ? units
      : Array(units.prefix(32) + units[middle..<middle + 32] + units.suffix(32))
    return mix(0x4B61_6E65 &+ hash(short, length: units.count), 0x4B61_6E65, 1)
  }

  private static func hash(_ units: [UInt16], length: Int) -> UInt32 {
    var hash = UInt32(truncatingIfNeeded: length)
    let whole = units.count / 4 * 4
    for place in stride(from: 0, to: whole, by: 4) {
      let four = zip(units[place..<place + 4], [16_974_593, 66_049, 257, 1] as [UInt32])
      hash = four.reduce(hash &* 67_503_105) { $0 &+ UInt32($1.0) &* $1.1 }
    }
    for unit in units[whole...] { hash = hash &* 257 &+ UInt32(unit) }
    return hash &+ hash << UInt32(length % 32)
  }

  /// "mix -- mix 3 32-bit values reversibly" (Bob Jenkins, 1996, lookup2); the third one.
  private static func mix(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> UInt32 {
    var (a, b, c) = (first, second, third)
    for (right, left, last) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] as [(UInt32, UInt32, UInt32)]
    {
      a = (a &- b &- c) ^ (c >> right)
      b = (b &- c &- a) ^ (a << left)
      c = (c &- a &- b) ^ (b >> last)
    }
    return c
  }
}
