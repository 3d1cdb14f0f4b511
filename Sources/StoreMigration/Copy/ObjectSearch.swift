package import CoreDataStore
internal import SQLite

// What a script may see of the store that is being built.

extension ScriptedCopy {
  /// The value of an attribute of a target object, as it stands at the moment.
  package func value(_ attribute: String, ofTarget object: ObjectID) throws -> AttributeValue {
    try unwritten.write()
    return try targetReader.value(attribute, of: object)
  }

  /// The objects that a relationship of a target object leads to at the moment.
  package func destinations(
    _ relationship: String, ofTarget object: ObjectID
  ) throws -> [ObjectID] {
    try unwritten.write()
    let model = builder.targetSchema.model
    let isToMany = model.relationship(relationship, ofEntity: object.entity)?.isToMany ?? false
    if case .toMany(let storage)? = try builder.targetLayout(object.entity)[relationship] {
      try indexes.want([storage.key.name], of: storage.table)
    }
    return try targetReader.destinations(relationship, of: object, toMany: isToMany)
  }

  /// The bytes of a value that lies in a file; the new store refers to the source's files.
  package func bytes(of reference: ExternalReference) throws -> [UInt8] {
    do {
      return try builder.external.content(of: reference)
    } catch {
      throw Failure(
        external: error, what: "cannot read an external value",
        subject: "\(builder.externalFolder)/\(reference.name)")
    }
  }

  /// The target objects of an entity, and of those that inherit from it, that meet a condition.
  package func find(
    _ entity: String, where condition: ModelPredicate?, limit: Int
  ) throws -> [ObjectID] {
    let search = try search(entity, condition)
    return try builder.telling("cannot find objects", "entity \(entity)") {
      try rows(
        of: search, "s.Z_ENT, s.Z_PK", "ORDER BY 2 LIMIT ?", [.integer(Int64(limit))]
      ).compactMap(targetID)
    }
  }

  /// How many target objects of an entity, and of those that inherit from it, meet a condition.
  package func count(_ entity: String, where condition: ModelPredicate?) throws -> Int {
    let search = try search(entity, condition)
    return try builder.telling("cannot count objects", "entity \(entity)") {
      Int(try rows(of: search, "count(*)").first?.first?.integer ?? 0)
    }
  }

  /// Columns of the rows that a search finds among all objects made so far.
  private func rows(
    of search: Search, _ columns: String, _ end: String = "", _ values: [Value] = []
  ) throws -> [[Value]] {
    try unwritten.write()
    try indexes.want(for: search)
    let statement = try builder.connection.prepare(
      "SELECT \(columns) FROM \(search.table) AS s WHERE \(search.filter) \(end)", cached: true)
    try statement.bind(search.values + values)
    var rows: [[Value]] = []
    while try statement.step() { rows.append(try statement.row.values()) }
    indexes.note(scanned: statement.takeScannedRows(), by: search)
    return rows
  }

  /// The target objects made from this entity's, each once, in the order in which they were made.
  ///
  /// `place` is that of the last one that was seen; nil before the first.
  package func made(
    after place: Int64?, limit: Int
  ) throws -> [(place: Int64, object: ObjectID)] {
    try builder.telling("cannot read the objects", "entity \(entity)") {
      try builder.connection.rows(
        "\(try selectionOfMade) LIMIT ?2", [.behind(place), .integer(Int64(limit))]
      ).compactMap { row in
        guard let object = targetID(row), let place = row[2].integer else { return nil }
        return (place, object)
      }
    }
  }

  /// The entity, key and place of what was made after the place ?1: by the associations, or by the
  /// keys where these say it.
  private var selectionOfMade: String {
    get throws {
      if let object = builder.impliedMapping(of: entity) {
        let layout = try builder.targetLayout(object.target)
        return """
          SELECT Z_ENT, Z_PK, Z_PK FROM \(table(layout))
          WHERE Z_ENT = \(layout.number) AND Z_PK > ?1
          \(try builder.narrowing(entity, key: "Z_PK")) ORDER BY Z_PK
          """
      }
      return """
        SELECT entity, object, rowid FROM main.\(BuilderTables.objects) AS o
        WHERE source_entity = \(try builder.sourceLayout(entity).number) AND rowid > ?1
        \(try builder.narrowing(entity, key: "source"))
        AND NOT EXISTS (SELECT 1 FROM main.\(BuilderTables.objects) AS e
        WHERE e.entity = o.entity AND e.object = o.object
        AND e.source_entity = o.source_entity AND e.rowid < o.rowid) ORDER BY rowid
        """
    }
  }

  /// The search for the objects of an entity, and of those that inherit from it, that meet a
  /// condition.
  func search(_ entity: String, _ condition: ModelPredicate?) throws -> Search {
    try forms.search(entity, condition)
  }

  /// The object of a row that begins with its Z_ENT and Z_PK.
  func targetID(_ row: [Value]) -> ObjectID? {
    guard let number = row[0].integer, let key = row[1].integer,
      let entity = builder.targetSchema.entity(number: Int(clamping: number))
    else { return nil }
    return ObjectID(entity: entity.name, key: key)
  }
}

extension ScriptedCopy {
  /// What is asked of the rows of an entity's table.
  struct Search {
    let layout: EntityLayout
    /// The quoted name of the entity's table.
    let table: String
    /// What holds for a row `s`.
    private(set) var filter: String
    /// The values of its parameters `?`, in their order.
    private(set) var values: [Value] = []
    /// The columns that must have a given value, each with what our index has of it.
    private(set) var indexed: [String: String] = [:]
    /// What an index on these columns is called.
    private(set) var index = ""

    /// More columns would hardly narrow it.
    private static let mostIndexed = 16

    init(_ layout: EntityLayout, _ condition: ModelPredicate?, _ model: Model) throws {
      self.layout = layout
      table = Identifier.quoted(layout.table, in: "main")
      filter = "s.Z_ENT BETWEEN \(layout.family.lowerBound) AND \(layout.family.upperBound)"
      guard let condition else { return }
      let sql = try ConditionSQL(binding: condition, layout: layout, model: model)
      filter += " AND (\(sql.sql))"
      values = sql.values
      for (name, constant) in Self.equalities(condition).prefix(Self.mostIndexed) {
        guard let column = layout.column(named: name)?.name,
          let term = try? ConditionTerm(name, of: layout, in: model, alias: ConditionSQL.alias),
          let value = try? term.value(constant)
        else { continue }
        look(for: value, in: column)
      }
      // A `+` disqualifies a term "for use with indexes" (SQLite, The Query Optimizer): one on
      // Z_ENT would lead through as many rows, and hide that another is missing.
      guard !indexed.isEmpty else { return }
      filter = "+\(filter)"
      index = LinkIndexes.name(indexed.keys.sorted(), layout.table)
    }

    /// The same search for other values.
    func with(_ values: [Value]) -> Search {
      var search = self
      search.values = values
      return search
    }

    /// The attributes that must have a given value, whatever else must hold.
    private static func equalities(
      _ condition: ModelPredicate
    ) -> [(name: String, constant: ModelConstant)] {
      switch condition {
      case .and(let parts): return parts.flatMap(equalities)
      case .comparison(let comparison) where comparison.comparator == .equal:
        switch (comparison.left, comparison.right) {
        case (.keyPath(let name), .constant(let constant)),
          (.constant(let constant), .keyPath(let name)):
          return constant == .null ? [] : [(name, constant)]
        default: return []
        }
      case .comparison, .or, .not, .unknown: return []
      }
    }

    /// Lets an index find the value: of a text it has the beginning.
    ///
    /// To sort whole texts SQLite takes ten times the memory of the longest; 250 characters fit
    /// into a page. An index on an expression is used where that stands in the query "exactly as it
    /// is written in the CREATE INDEX statement" (SQLite, Indexes On Expressions).
    private mutating func look(for value: Value, in column: String) {
      let name = Identifier.quoted(column)
      guard value.type == .text else {
        indexed[column] = name
        return
      }
      indexed[column] = Self.beginning(of: name)
      filter += " AND \(Self.beginning(of: "s.\(name)")) IS \(Self.beginning(of: "?"))"
      values.append(value)
    }

    private static func beginning(of text: String) -> String { "substr(\(text), 1, 250)" }
  }
}
