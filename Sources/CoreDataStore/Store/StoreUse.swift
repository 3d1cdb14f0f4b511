internal import Foundation
internal import SQLite

// How much a store has of something: what a plan needs to know before anything is lost.

extension Store {
  private static let what = "cannot look for what would be lost"

  /// Whether a table has the columns of a layout, in its order.
  package func matches(_ table: EntityTable) throws -> Bool {
    try columns(of: table.name).map(\.name) == table.columns.map(\.name)
  }

  /// How many objects of one entity, not of those that inherit from it, have a value.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - entity: The entity, as the store's model lays it out.
  /// - Returns: The number of objects; nil where a store is read in part and counting would take
  ///   too long.
  /// - Throws: ``Failure`` when the store cannot be read.
  package func values(of property: String, in entity: EntityLayout) throws -> Int64? {
    guard let storage = entity[property],
      let sql = Self.count(storage, entity)
    else { return 0 }
    if let known = known(storage, entity) { return known }
    let subject = "\(entity.name).\(property)"
    return try survey(entity.table, subject) {
      func count() throws -> Int64 {
        try connection.scalar(sql)?.integer ?? 0
      }
      return try budget.map { try $0.within(connection, count) } ?? count()
    }
  }

  /// How many values the check of the file has found in the column that holds them; nil where that
  /// does not say, because others have theirs there, too.
  private func known(_ storage: PropertyStorage, _ entity: EntityLayout) -> Int64? {
    guard let column = storage.columns.first, let rows = walk?.rows(of: entity.table),
      entity.isAlone || rows.numbers?.keys.allSatisfy({ $0 == entity.number }) == true
    else { return nil }
    return rows.values(in: column.name).map(Int64.init)
  }

  /// How many numbers of an attribute an attribute of another type could not give back.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - entity: The entity, as the store's model lays it out; those that inherit are left out.
  ///   - type: The other type.
  /// - Returns: The number of objects; nil where a store is read in part and counting would take
  ///   too long.
  /// - Throws: ``Failure`` when the store cannot be read.
  package func misfits(
    of attribute: String, in entity: EntityLayout, as type: AttributeType
  ) throws -> Int64? {
    guard let column = entity.column(named: attribute) else { return 0 }
    let (name, fit) = (Identifier.quoted(column.name), NumberFit(type))
    func count() throws -> Int64 {
      var count: Int64 = 0
      try connection.query(
        """
        SELECT \(name) FROM \(Identifier.quoted(entity.table))
        WHERE \(entity.isOwn()) AND \(name) IS NOT NULL
        """
      ) { row in
        if try !fit.holds(row.value(0)) { count += 1 }
      }
      return count
    }
    return try survey(entity.table, "\(entity.name).\(attribute)") {
      try budget.map { try $0.within(connection, count) } ?? count()
    }
  }

  /// How many objects are of one entity, not of those that inherit from it.
  package func count(of entity: EntityLayout) throws -> Int64 {
    try survey(entity.table, entity.name) {
      try connection.scalar(
        "SELECT count(*) FROM \(Identifier.quoted(entity.table)) WHERE \(entity.isOwn())")?
        .integer ?? 0
    }
  }

  /// How many objects have the same as another one in all of these properties.
  ///
  /// - Parameters:
  ///   - properties: Attributes, and relationships to one object.
  ///   - entity: The entity, as the store's model lays it out; those that inherit are left out.
  /// - Returns: The number of objects; objects without one of them are like no other.
  /// - Throws: ``Failure`` when the store cannot be read.
  package func sharing(_ properties: [String], in entity: EntityLayout) throws -> Int64 {
    let columns = properties.compactMap { entity[$0]?.columns.first?.name }
      .map { Identifier.quoted($0) }
    guard columns.count == properties.count else { return 0 }
    let isThere = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return try survey(entity.table, entity.name) {
      try connection.scalar(
        """
        SELECT ifnull(sum(n), 0) FROM (
          SELECT count(*) AS n FROM \(Identifier.quoted(entity.table))
          WHERE \(entity.isOwn()) AND \(isThere)
          GROUP BY \(columns.joined(separator: ", ")) HAVING n > 1)
        """)?.integer ?? 0
    }
  }

  /// Some values of an attribute, of the objects with the lowest keys that have one.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - entity: The entity, as the store's model lays it out; those that inherit are left out.
  ///   - limit: How many values at most.
  /// - Returns: The values.
  /// - Throws: ``Failure`` when the store cannot be read.
  package func sample(
    of attribute: Attribute, in entity: EntityLayout, limit: Int
  ) throws -> [AttributeValue] {
    guard let column = entity.column(named: attribute.name) else { return [] }
    let name = Identifier.quoted(column.name)
    let storage = AttributeStorage(of: attribute)
    return try survey(entity.table, "\(entity.name).\(attribute.name)") {
      var values: [AttributeValue] = []
      try connection.query(
        """
        SELECT \(name) FROM \(Identifier.quoted(entity.table))
        WHERE \(entity.isOwn()) AND \(name) IS NOT NULL ORDER BY Z_PK LIMIT \(limit)
        """
      ) { row in values.append(storage.value(of: try row.value(0))) }
      return values
    }
  }

  /// Reads all of a table; an error names the object whose value is too long, too.
  private func survey<Result>(
    _ table: String, _ part: String, _ body: () throws -> Result
  ) throws -> Result {
    try reading(Self.what, of: part, limit: .seconds(86_400)) {
      do {
        return try body()
      } catch let error as SQLiteError where error.isTooBig {
        let part = LongValue(connection, table: table).subject(part, error)
        throw Failure(error, what: Self.what, subject: subject(part))
      }
    }
  }

  private static func count(_ storage: PropertyStorage, _ entity: EntityLayout) -> String? {
    let rows = "FROM \(Identifier.quoted(entity.table)) WHERE \(entity.isOwn())"
    let own = "SELECT Z_PK \(rows)"
    func column(_ name: String) -> String {
      "SELECT count(\(Identifier.quoted(name))) \(rows)"
    }
    func owners(_ key: String, in table: String) -> String {
      let key = Identifier.quoted(key)
      let name = Identifier.quoted(table)
      return "SELECT count(DISTINCT \(key)) FROM \(name) WHERE \(key) IN (\(own))"
    }
    return switch storage {
    case .attribute(let attribute): column(attribute.name)
    case .toOne(let storage): column(storage.key.name)
    case .toMany(let storage): owners(storage.key.name, in: storage.table)
    case .manyToMany(let join): owners(join.source, in: join.table)
    case .notStored: nil
    }
  }

  /// The attributes whose texts contain a word, and how many values of each do.
  package func mentions(
    of word: String, in schema: StoreSchema
  ) throws -> [(attribute: PropertyReference, count: Int64)] {
    // All texts of a store are not read for it.
    if isBrief { return [] }
    var found: [(attribute: PropertyReference, count: Int64)] = []
    for table in schema.tables {
      for column in table.columns {
        guard case .attribute(let attribute) = column.role,
          schema.model.entity(named: attribute.entity)?.attribute(named: attribute.property)?
            .type == .string
        else { continue }
        let name = Identifier.quoted(column.name)
        let count = try survey(table.name, table.name) {
          try connection.scalar(
            "SELECT count(*) FROM \(Identifier.quoted(table.name)) WHERE instr(\(name), ?1) > 0",
            [.text(word)])?.integer ?? 0
        }
        if count > 0 { found.append((attribute, count)) }
      }
    }
    return found
  }
}

/// Whether a number that stands in a column of one type can be given back by an attribute of
/// another.
///
/// Core Data converts nothing when an attribute changes its type: a fraction in an integer's column
/// stays there, and is read as a whole number from then on.
private struct NumberFit {
  private let type: AttributeType

  init(_ type: AttributeType) { self.type = type }

  func holds(_ value: Value) -> Bool {
    switch type.facts.form {
    case .whole: Self.whole(value).map { type.facts.range?.contains($0) == true } ?? false
    case .boolean: Self.whole(value).map { $0 == 0 || $0 == 1 } ?? false
    case .real(let bits): Self.isExact(value, isFloat: bits < 53)
    case .decimal: Self.isDecimal(value)
    case .date, .text, .uuid, .bytes, .none: true
    }
  }

  private static func whole(_ value: Value) -> Int64? {
    switch value {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .text(let text): text.string.flatMap(Int64.init)
    case .null, .blob: nil
    }
  }

  private static func isExact(_ value: Value, isFloat: Bool) -> Bool {
    switch value {
    case .integer(let number):
      isFloat ? Float(exactly: number) != nil : Double(exactly: number) != nil
    case .real(let number): !isFloat || Float(exactly: number) != nil
    // A decimal stands as text where no double holds all of its digits.
    case .null, .text, .blob: false
    }
  }

  private static func isDecimal(_ value: Value) -> Bool {
    switch value {
    case .integer: true
    case .real(let number):
      Decimal(plain: "\(number)").map { Double("\($0)") == number } ?? false
    case .text(let text): text.string.flatMap(Decimal.init(plain:)) != nil
    case .null, .blob: false
    }
  }
}
