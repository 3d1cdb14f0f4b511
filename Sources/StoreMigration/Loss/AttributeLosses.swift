internal import CoreDataStore
internal import SQLite

/// Counts what happened to the values of one entity's attributes.
struct AttributeLosses {
  private let work: LossCount
  private let entity: EntityLayout
  private let course: EntityCourse
  private let noted: [Int]
  private let searches: [ValueSearch]

  init(_ work: LossCount, _ entity: EntityLayout) throws {
    (self.work, self.entity) = (work, entity)
    let course = work.course(of: entity)
    self.course = course
    noted = try work.noted(entity)
    let model = work.source.schema.model
    let attributes = model.entity(named: entity.name).map(model.allAttributes) ?? []
    let target = course.target.flatMap(work.target.schema.entity(named:))
    searches = try attributes.filter(\.isStored).compactMap { attribute in
      try ValueSearch(attribute, entity, target, course, work)
    }
  }

  /// The attributes that are counted by one statement: SQLite compares each function of it with
  /// all others, and gives back 2,000 columns at most.
  private static let most = 64

  /// The counts, by the attributes' names.
  func count() throws -> [PropertyLoss] {
    guard !searches.isEmpty else { return [] }
    var losses: [PropertyLoss] = []
    for start in stride(from: 0, to: searches.count, by: Self.most) {
      losses += try counted(searches[start..<min(start + Self.most, searches.count)])
    }
    try ScriptedValues(work, entity, course, noted).find(&losses) { rows($0) }
    return losses.sorted { NameOrder.precedes($0.property, $1.property) }
  }

  private func counted(_ searches: ArraySlice<ValueSearch>) throws -> [PropertyLoss] {
    var losses = searches.map(\.loss)
    func isKept(_ search: ValueSearch) -> Bool { noted.isEmpty && search.isKept }
    let areSame = try areSame(searches.filter { $0.isPlain && !isKept($0) })
    func isSame(_ search: ValueSearch) -> Bool { isKept(search) || areSame && search.isPlain }
    let columns = searches.flatMap { search in
      (known(search) == nil ? [search.all] : []) + (isSame(search) ? [] : search.differing)
    }
    let row =
      try columns.isEmpty
      ? []
      : work.connection.rows(
        "SELECT \(columns.joined(separator: ", ")) \(rows(course.target))"
      ).first ?? []
    var place = 0
    func next() -> Int {
      defer { place += 1 }
      return place < row.count ? Int(row[place].integer ?? 0) : 0
    }
    for (number, search) in zip(losses.indices, searches) {
      losses[number].values = known(search) ?? next()
      if isSame(search) { losses[number].arrived = losses[number].values }
      guard search.same != nil, !isSame(search) else { continue }
      losses[number].gone = next()
      losses[number].emptied = next()
      let differing = next()
      let changed = differing > 0 ? try self.changed(search) ?? differing : 0
      losses[number].changed = changed
      losses[number].arrived =
        losses[number].values - losses[number].gone - losses[number].emptied - changed
    }
    return losses
  }

  /// How many values of an attribute the source has; nil where that has to be counted.
  private func known(_ search: ValueSearch) -> Int? {
    guard let rows = work.walk?.rows(of: entity.table),
      rows.numbers?[Int64(entity.number)] == rows.count
    else { return nil }
    return rows.values(in: search.name)
  }

  /// Whether each object is there, with the values of all these attributes as they were.
  ///
  /// Of most stores that is so, and to see it costs a third of what several counts of each
  /// attribute cost: what stands behind WHERE ends at the first that differs.
  private func areSame(_ searches: [ValueSearch]) throws -> Bool {
    let checks = searches.compactMap { $0.same.map { "(\($0))" } }
    guard course.target != nil,
      let condition = ConditionTranslation.joined(checks[...], by: "AND")
    else { return false }
    let found = try work.connection.integer(
      "SELECT count(*) \(rows(course.target, join: "CROSS JOIN")) AND (\(condition))")
    if let count = work.walk?.count(of: entity.number, in: entity.table) {
      return found == Int64(count)
    }
    return try found == work.connection.integer("SELECT count(*) \(rows(nil))")
  }

  /// The rows of the source, `s`, each with the one that it became in an entity of the new store,
  /// `t`; without an entity, alone.
  private func rows(_ target: String?, join: String = "LEFT JOIN") -> String {
    let own = "FROM \(Identifier.quoted(entity.table, in: "source")) AS s"
    let condition = "WHERE s.Z_ENT = \(entity.number)"
    guard let target = target.flatMap(work.target.schema.entity(named:)) else {
      return "\(own) \(condition)"
    }
    let key =
      noted.isEmpty
      ? "s.Z_PK"
      : """
      (SELECT o.object FROM \(LossCount.associations) AS o WHERE o.source_entity = \(entity.number)
      AND o.source = s.Z_PK AND o.entity = \(target.number) ORDER BY o.place, o.object LIMIT 1)
      """
    return """
      \(own) \(join) main.\(Identifier.quoted(target.table)) AS t
      ON t.Z_PK = \(key) AND t.Z_ENT = \(target.number) \(condition)
      """
  }

  /// How many values that are stored otherwise say something else; nil where the stored form alone
  /// decides.
  private func changed(_ search: ValueSearch) throws -> Int? {
    guard search.needsReading, let same = search.same, let place = search.targets.first else {
      return nil
    }
    let statement = try work.connection.prepare(
      """
      SELECT \(search.column), \(place.column) \(rows(course.target))
      AND \(search.column) IS NOT NULL AND \(place.column) IS NOT NULL AND NOT (\(same))
      """)
    var count = 0
    while try statement.step() {
      let isSame = try search.isSame(try statement.row.value(0), try statement.row.value(1))
      if !isSame { count += 1 }
    }
    return count
  }
}
