package import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

extension StoreFixture {
  /// What a small store has of the one that it was taken from.
  package struct Sampled: Sendable {
    /// How many objects there are, by entity.
    package fileprivate(set) var objects: [String: Int] = [:]
    /// How many links lead to objects that were left out, and are empty.
    package fileprivate(set) var cutLinks = 0
    /// How many values have files of their own.
    package fileprivate(set) var files = 0
    /// How many of them had none in the store.
    package fileprivate(set) var missingFiles = 0
    /// Attributes whose texts are few, as those of states are, though they were replaced.
    package fileprivate(set) var few: [(attribute: PropertyReference, texts: Int, objects: Int)] =
      []
    /// Attributes with values that obeyed the model's rules and may not any more.
    package fileprivate(set) var broken: [PropertyReference] = []
    /// The identity that the small store has.
    package let uuid: String

    /// How many objects there are in all.
    package var count: Int { objects.values.reduce(0, +) }
  }

  /// Makes a small store from some objects of another one, which is only read.
  ///
  /// Nothing of the other store's data gets into the new file, not even for a moment: each row is
  /// written once, with its final values.
  ///
  /// - Parameters:
  ///   - store: The other store.
  ///   - schema: Its schema.
  ///   - objects: How many objects are wanted.
  ///   - kept: The attributes, by the objects' very entity, whose values stay.
  ///   - path: The new file; values with files get them next to it.
  /// - Returns: What it has.
  /// - Throws: ``Failure``.
  package static func sample(
    _ store: Store, schema: StoreSchema, objects: Int, keeping kept: Set<PropertyReference>,
    at path: String
  ) throws -> Sampled {
    let key = Digest.sha256(Array("fixture \(store.metadata.uuid)".utf8))
    // A view of a table's name would be another author's program.
    for name in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
      _ = try store.columns(of: name)
    }
    return try store.reading(
      "cannot take a sample of the store", limit: .seconds(86_400)
    ) {
      try store.connection.transaction(.deferred) {
        let choice = try Choice(objects, of: schema, in: store.connection)
        let dates = try Self.dates(of: choice, store, schema, kept)
        let scrubber = Scrubber(key: key, dates: dates)
        let contents = try contents(like: store, scrubber.fileName())
        let new = try NewStore(at: path, schema: schema, contents: contents, durability: .off)
        let copy = Copy(
          source: store, target: new, choice: choice, scrubber: scrubber, kept: kept,
          folder: StoreFiles.supportFolder(of: path) + "/_EXTERNAL_DATA")
        return try copy.run()
      }
    }
  }

  /// What the new store says of itself: the model and what goes with it, and nothing that an
  /// application or a run wrote.
  ///
  /// The tables of a history are there where they were, and empty.
  private static func contents(like store: Store, _ uuid: String) throws -> NewStoreContents {
    let cache = try store.cachedModel()
    let content = cache.model == nil ? nil : try store.modelCacheContent()
    let keepsHistory = store.schema.table("ATRANSACTION") != nil
    let history = store.metadata.entries[FinishedMetadata.history]
      .map(FinishedMetadata.withoutMirror)
    return NewStoreContents(
      uuid: uuid, modelCache: content.map { .cached($0) } ?? .none, keepsHistory: keepsHistory,
      metadata: keepsHistory ? [FinishedMetadata.history: history].compactMapValues(\.self) : [:],
      pageSize: Int(try store.connection.integer("PRAGMA page_size") ?? 4096))
  }

  /// All dates of the chosen objects that are to be replaced.
  private static func dates(
    of choice: Choice, _ store: Store, _ schema: StoreSchema, _ kept: Set<PropertyReference>
  ) throws -> Set<Double> {
    var dates: Set<Double> = []
    for table in schema.tables {
      guard let keys = choice.chosen[table.name] else { continue }
      let columns = table.columns.compactMap { column -> (StoreColumn, PropertyReference)? in
        guard column.type == .timestamp, case .attribute(let reference) = column.role else {
          return nil
        }
        return (column, reference)
      }
      if columns.isEmpty { continue }
      let list = columns.map { Identifier.quoted($0.0.name) }.joined(separator: ", ")
      let sql = "SELECT \(list) FROM \(Identifier.quoted(table.name)) WHERE Z_PK = ?1"
      for (key, number) in keys {
        guard let entity = schema.entity(number: number),
          let row = try store.connection.rows(sql, [.integer(key)]).first
        else { continue }
        for (value, column) in zip(row, columns)
        where !kept.contains(PropertyReference(entity.name, column.1.property)) {
          let seconds = value.real ?? value.integer.map(Double.init)
          if let seconds, !Scrubber.isEndless(seconds) { dates.insert(seconds) }
        }
      }
    }
    return dates
  }
}

extension StoreFixture {
  /// Writes the chosen objects into the new store, row by row.
  fileprivate final class Copy {
    /// A column of a table, as the objects of one entity have it.
    struct Cell {
      enum Content {
        case key, entity, counter, empty
        case attribute(Attribute, PropertyReference, isKept: Bool)
        /// The key of an object in a table.
        case link(String)
        /// The number of the entity of the object whose key stands in this column.
        case linkedEntity(Int)
        /// A place in an order, which counts while the key in this column does.
        case position(Int)
      }

      let content: Content
      let rules: Rules?
    }

    let source: Store
    let target: NewStore
    let choice: Choice
    let scrubber: Scrubber
    let kept: Set<PropertyReference>
    let folder: String
    private var sampled: Sampled
    private var texts: [PropertyReference: (texts: Set<Value>, objects: Int)] = [:]
    private var broken: Set<PropertyReference> = []
    private var schema: StoreSchema { target.schema }
    private let externals: ExternalValues

    init(
      source: Store, target: NewStore, choice: Choice, scrubber: Scrubber,
      kept: Set<PropertyReference>, folder: String
    ) {
      (self.source, self.target, self.choice) = (source, target, choice)
      (self.scrubber, self.kept, self.folder) = (scrubber, kept, folder)
      sampled = Sampled(uuid: target.contents.uuid)
      externals = ExternalValues(old: [source.files.externalDataFolder], new: nil)
    }

    func run() throws -> Sampled {
      try target.make(.tables)
      try target.connection.transaction {
        for table in schema.tables { try copy(table) }
        for table in schema.joinTables { try copy(table) }
        // Times and random numbers cannot be computed again: they stay as they were replaced.
        try DerivedValues(
          connection: target.connection, schema: schema, now: 0, keepsTimes: true
        ).fill()
      }
      try target.make(.indexes)
      try target.make(.triggers)
      try target.close()
      sampled.broken = broken.sorted()
      sampled.few = texts.filter { $1.texts.count <= Self.fewTexts }
        .filter { $1.objects >= 4 * $1.texts.count && $1.texts.count > 1 }
        .map { ($0, $1.texts.count, $1.objects) }.sorted { $0.attribute < $1.attribute }
      return sampled
    }

    /// An attribute with more different texts than these is taken for no choice of states.
    static let fewTexts = 8
  }
}

// Rows.
extension StoreFixture.Copy {
  private func copy(_ table: EntityTable) throws {
    guard let chosen = choice.chosen[table.name], let root = schema.entity(named: table.root) else {
      return
    }
    let list = table.columns.map { Identifier.quoted($0.name) }.joined(separator: ", ")
    let places = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let name = Identifier.quoted(table.name)
    let select = "SELECT \(list) FROM \(name) WHERE Z_PK = ?1"
    let insert = "INSERT INTO \(name) (\(list)) VALUES (\(places))"
    var cells: [Int: [Cell]] = [:]
    for (key, number) in chosen.sorted(by: { $0.key < $1.key }) {
      guard let layout = schema.entity(number: number),
        let row = try source.connection.rows(select, [.integer(key)]).first
      else { continue }
      let known = cells[number] ?? self.cells(of: table, layout)
      cells[number] = known
      try target.connection.run(insert, try values(row, known, key, layout))
      sampled.objects[layout.name, default: 0] += 1
    }
    try target.connection.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2",
      [.integer(chosen.keys.max() ?? 0), .integer(Int64(root.number))])
  }

  /// What the columns of a table are for objects of one entity; those of its sisters are empty.
  private func cells(of table: EntityTable, _ layout: EntityLayout) -> [Cell] {
    let own = Set(layout.storage.values.flatMap(\.columns).map(\.name))
    return table.columns.map { column in
      let isOwn = own.contains(column.name)
      switch column.role {
      case .primaryKey: return Cell(content: .key, rules: nil)
      case .entityNumber: return Cell(content: .entity, rules: nil)
      case .saveCounter: return Cell(content: .counter, rules: nil)
      case .attribute(let reference) where isOwn:
        return cell(reference.property, of: layout)
      case .toOne(let reference) where isOwn:
        let found = schema.model.relationship(reference.property, ofEntity: reference.entity)
        let table = found.flatMap { schema.entity(named: $0.destination) }?.table
        return Cell(content: table.map(Cell.Content.link) ?? .empty, rules: nil)
      case .owner(let reference):
        let table = schema.entity(named: reference.entity)?.table
        return Cell(content: table.map(Cell.Content.link) ?? .empty, rules: nil)
      case .destinationEntity(let reference) where isOwn:
        return cell(with: .toOne(reference), in: table) { .linkedEntity($0) }
      case .position(let reference) where isOwn:
        return cell(with: .toOne(reference), in: table) { .position($0) }
      case .ownerPosition(let reference):
        return cell(with: .owner(reference), in: table) { .position($0) }
      case .attribute, .toOne, .destinationEntity, .position:
        return Cell(content: .empty, rules: nil)
      }
    }
  }

  private func cell(_ name: String, of layout: EntityLayout) -> Cell {
    guard let attribute = schema.model.attribute(name, ofEntity: layout.name) else {
      return Cell(content: .empty, rules: nil)
    }
    let reference = PropertyReference(layout.name, name)
    return Cell(
      content: .attribute(attribute, reference, isKept: kept.contains(reference)),
      rules: Rules(of: attribute, layout, schema.model, target.connection))
  }

  private func cell(
    with role: StoreColumn.Role, in table: EntityTable, _ content: (Int) -> Cell.Content
  ) -> Cell {
    let place = table.columns.firstIndex { $0.role == role }
    return Cell(content: place.map(content) ?? .empty, rules: nil)
  }

  private func values(
    _ row: [Value], _ cells: [Cell], _ key: Int64, _ layout: EntityLayout
  ) throws -> [Value] {
    try zip(row, cells).map { value, cell in
      switch cell.content {
      case .key: return .integer(key)
      case .entity: return .integer(Int64(layout.number))
      case .counter: return .integer(1)
      case .empty: return .null
      case .attribute(let attribute, let reference, let isKept):
        return try stored(value, attribute, reference, isKept: isKept, cell.rules)
      case .link(let table):
        guard let other = value.integer else { return .null }
        if choice.number(table, other) != nil { return value }
        sampled.cutLinks += 1
        return .null
      case .linkedEntity(let place):
        return linked(row, place, cells).map { .integer(Int64($0)) } ?? .null
      case .position(let place): return linked(row, place, cells) == nil ? .null : value
      }
    }
  }

  /// The number of the entity of the chosen object that a column leads to.
  private func linked(_ row: [Value], _ place: Int, _ cells: [Cell]) -> Int? {
    guard case .link(let table) = cells[place].content, let key = row[place].integer else {
      return nil
    }
    return choice.number(table, key)
  }

  /// The pairs of which both objects are there.
  private func copy(_ table: JoinTable) throws {
    guard let (first, second) = schema.ends(of: table) else { return }
    let names = table.columns.map { Identifier.quoted($0) }
    let list = names.joined(separator: ", ")
    let name = Identifier.quoted(table.name)
    let select = "SELECT \(list) FROM \(name) WHERE \(names[0]) = ?1 ORDER BY \(names[1])"
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    for key in (choice.chosen[first] ?? [:]).keys.sorted() {
      for row in try source.connection.rows(select, [.integer(key)]) {
        guard let other = row[1].integer, choice.number(second, other) != nil else { continue }
        // Without this a text in a column for places would get into the new file.
        let numbers = row.map { $0.integer.map(Value.integer) ?? .null }
        try target.connection.run("INSERT INTO \(name) (\(list)) VALUES (\(places))", numbers)
      }
    }
  }
}

// Values.
extension StoreFixture.Copy {
  private func stored(
    _ value: Value, _ attribute: Attribute, _ reference: PropertyReference, isKept: Bool,
    _ rules: Rules?
  ) throws -> Value {
    guard attribute.usesExternalStorage, let bytes = value.blob else {
      return isKept ? value : replaced(value, attribute, reference, rules)
    }
    if let file = ExternalReference(stored: bytes) {
      return try external(file, reference, isKept: isKept)
    }
    if isKept { return value }
    let inline = bytes.first == ExternalReference.inlineMark ? Array(bytes.dropFirst()) : bytes
    return .blob([ExternalReference.inlineMark] + scrubber.bytes(inline))
  }

  private func replaced(
    _ value: Value, _ attribute: Attribute, _ reference: PropertyReference, _ rules: Rules?
  ) -> Value {
    if case .text = value, texts[reference]?.texts.count ?? 0 <= Self.fewTexts {
      texts[reference, default: ([], 0)].texts.insert(value)
      texts[reference]?.objects += 1
    }
    let obeyed = rules?.allow(value) ?? true
    if let rules, rules.listed.contains(value) { return value }
    let made = scrubber.value(value, attribute.type, in: rules?.range) { made in
      !obeyed || rules?.allow(made) ?? true
    }
    let isBroken = obeyed && rules?.allow(made) == false
    if made != value, isBroken || rules?.isPartial == true { broken.insert(reference) }
    return made
  }

  /// A value that has a file: it gets one in the new store, by another name.
  private func external(
    _ file: ExternalReference, _ reference: PropertyReference, isKept: Bool
  ) throws -> Value {
    let content: [UInt8]
    do {
      let bytes = try externals.content(of: file)
      content = isKept ? bytes : scrubber.bytes(bytes)
    } catch {
      guard error.isMissing else {
        throw Failure(
          error, what: "cannot read an external value",
          subject: "attribute \(reference), \(file.name)")
      }
      sampled.missingFiles += 1
      content = scrubber.bytes(Array(file.name.utf8))
    }
    guard let made = ExternalReference(scrubber.fileName()) else { return .null }
    sampled.files += 1
    try replacing("cannot put a large value into a file", folder) {
      try FileSystem.makeFolder(FileSystem.folder(of: folder))
      try FileSystem.makeFolder(folder)
      try OpenDescriptor(creatingShared: "\(folder)/\(made.name)").write(content[...])
    }
    return .blob(made.stored)
  }

  /// The rules of an attribute that a made-up value can obey.
  struct Rules {
    private let minimum: Double?
    private let maximum: Double?
    private let lengths: ClosedRange<Int>?
    private let patterns: [TextPattern]
    /// The values that a rule of the model lists: they are the model's, and no user's.
    let listed: Set<Value>
    /// Whether a value obeys the other rules, computed by SQLite.
    private let condition: String?
    private let connection: Connection
    /// Whether there is another rule, which cannot be looked at here.
    let isPartial: Bool

    /// The numbers from the minimum to the maximum.
    var range: ClosedRange<Double>? {
      let (low, high) = (minimum ?? -9e18, maximum ?? 9e18)
      return low <= high && (minimum != nil || maximum != nil) ? low...high : nil
    }

    /// Nil for an attribute without such rules.
    init?(
      of attribute: Attribute, _ layout: EntityLayout, _ model: Model, _ connection: Connection
    ) {
      let storage = AttributeStorage(of: attribute)
      func bound(_ constant: ModelConstant) -> Double? {
        storage.stored(constant: constant).flatMap { $0.real ?? $0.integer.map(Double.init) }
      }
      var (low, high) = (Double?.none, Double?.none)
      var (least, most) = (0, Int.max)
      var patterns: [TextPattern] = []
      for rule in attribute.validation {
        switch rule {
        case .minimum(let constant): low = bound(constant)
        case .maximum(let constant): high = bound(constant)
        case .minimumLength(let length): least = max(0, length)
        case .maximumLength(let length): most = length
        case .matches(let pattern): patterns += [TextPattern(pattern)].compactMap(\.self)
        case .predicate: continue
        }
      }
      (minimum, maximum, self.patterns) = (low, high, patterns)
      lengths = least <= most && (least > 0 || most < .max) ? least...most : nil
      let predicates = attribute.validation.compactMap { rule in
        if case .predicate(let predicate) = rule { predicate } else { nil }
      }
      listed = Set(
        predicates.flatMap(Self.constants).compactMap { storage.stored(constant: $0) })
      self.connection = connection
      condition =
        predicates.isEmpty ? nil : try? Self.condition(predicates, attribute, layout, model)
      isPartial = !predicates.isEmpty && condition == nil
      if low == nil, high == nil, lengths == nil, patterns.isEmpty, predicates.isEmpty {
        return nil
      }
    }

    /// The constants that the value is compared with for equality.
    private static func constants(of predicate: ModelPredicate) -> [ModelConstant] {
      switch predicate {
      case .and(let parts), .or(let parts): return parts.flatMap(constants)
      case .comparison(let comparison):
        let right: [ModelExpression]
        switch (comparison.comparator, comparison.right) {
        case (.isIn, .aggregate(let parts)): right = parts
        case (.equal, .constant): right = [comparison.right]
        default: return []
        }
        guard comparison.left == .itself else { return [] }
        return right.compactMap { if case .constant(let constant) = $0 { constant } else { nil } }
      case .not, .unknown: return []
      }
    }

    private static func condition(
      _ predicates: [ModelPredicate], _ attribute: Attribute, _ layout: EntityLayout,
      _ model: Model
    ) throws -> String? {
      guard case .attribute(let column) = layout[attribute.name] else { return nil }
      let condition = ConditionTranslation(
        layout: layout, model: model, alias: "s", itself: attribute.name)
      let all = try predicates.map { "(\(try condition.sql($0)))" }.joined(separator: " AND ")
      return "SELECT \(all) FROM (SELECT ?1 AS \(Identifier.quoted(column.name))) AS s"
    }

    private func isObeyed(by value: Value) -> Bool {
      guard let condition else { return true }
      let found = try? connection.integer(condition, [value])
      return found == 1
    }

    func allow(_ value: Value) -> Bool {
      guard value == .null || isObeyed(by: value) else { return false }
      if let number = value.real ?? value.integer.map(Double.init) {
        return number >= minimum ?? number && number <= maximum ?? number
      }
      guard let text = value.string else { return true }
      return lengths?.contains(text.utf16.count) ?? true
        && patterns.allSatisfy { $0.matches(text) }
    }
  }
}
