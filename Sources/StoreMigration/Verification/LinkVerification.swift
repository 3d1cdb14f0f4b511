internal import CoreDataStore
internal import SQLite

/// Reads the links that could not travel with their rows again, and compares them with those that
/// the new store has.
struct LinkVerification {
  private let pair: StepVerification
  private let units: LinkUnits

  init(_ pair: StepVerification) {
    self.pair = pair
    units = LinkUnits(pair)
  }

  /// Looks at the links of every relationship.
  func run(_ result: inout VerificationResult) throws {
    for unit in units.all {
      for gathering in units.gatherings(unit) where try !isCopied(gathering) {
        let pairs = try LinkPairs(pair.connection)
        for sql in gathering.readings { try pairs.add(sql) }
        _ = try pairs.removeLost(nearIsStored: false, farIsStored: false)
        if gathering.readings.count > 1 { try pairs.removeRepeated() }
        try narrow(pairs, gathering.links)
        for place in gathering.writing { try compare(gathering.link, place, &result) }
      }
    }
  }

  /// Whether a table of pairs is plainly that of the source, row by row: seen without reading the
  /// links into a table of their own first.
  private func isCopied(_ gathering: LinkUnits.Gathering) throws -> Bool {
    let link = gathering.link
    guard gathering.links.count == 1, link.move == .same, !link.mayDiscard,
      [link.forward.order, link.backward.order].allSatisfy({ $0 == .kept || $0 == .none }),
      units.end(link, .near)?.keepsKeys == true, units.end(link, .far)?.keepsKeys == true,
      let old = LinkReading.join(link.forward.source, in: pair.sourceSchema),
      let new = LinkReading.join(link.forward.target, in: pair.targetSchema)
    else { return false }
    if old.table == new.table, pair.untouched.contains(new.table) { return true }
    var same = ["t.\(new.source) = s.\(old.source)", "t.\(new.destination) = s.\(old.destination)"]
    let places = [
      (old.position, new.position),
      (
        LinkReading.join(link.backward.source, in: pair.sourceSchema)?.position,
        LinkReading.join(link.backward.target, in: pair.targetSchema)?.position
      ),
    ]
    for case (let old?, let new?) in places { same.append("t.\(new) IS s.\(old)") }
    return try SamePairs(pair.connection, old.table, new.table).areSame(same)
  }

  private func narrow(_ pairs: LinkPairs, _ links: [LinkMapping]) throws {
    if let direction = links.map(\.forward).first(where: \.narrows) {
      _ = try pairs.narrow(forward: true, direction.keep ?? .first)
    }
    if let direction = links.map(\.backward).first(where: \.narrows) {
      _ = try pairs.narrow(forward: false, direction.keep ?? .first)
    }
  }

  private func compare(
    _ link: LinkMapping, _ place: LinkPass.Place, _ result: inout VerificationResult
  ) throws {
    let schema = pair.targetSchema
    switch place {
    case .nearColumn:
      guard let columns = LinkColumns(link.forward.target, link.backward.target, in: schema)
      else { return }
      try compare(columns, isNear: true, link, &result)
    case .farColumn:
      guard let columns = LinkColumns(link.backward.target, link.forward.target, in: schema)
      else { return }
      try compare(columns, isNear: false, link, &result)
    case .joinTable: try compareJoin(link, &result)
    }
  }

  /// Every row of the new store that could have such a link, against the pairs.
  private func compare(
    _ columns: LinkColumns, isNear: Bool, _ link: LinkMapping, _ result: inout VerificationResult
  ) throws {
    let (own, other) = isNear ? ("a", "b") : ("b", "a")
    let direction = isNear ? link.forward : link.backward
    let order = isNear ? link.backward.order : link.forward.order
    var same = ["t.\(columns.key) IS p.\(other)"]
    if let entity = columns.entity { same.append("t.\(entity) IS p.\(other)_entity") }
    let leads = same.joined(separator: " AND ")
    if let position = columns.position {
      let place = "p.\(isNear ? "backward" : "forward")"
      // Where an order begins, all have the owner's key for a place.
      same.append(
        "t.\(position) IS " + (order == .numbered ? "ifnull(\(place), p.\(other))" : place))
    }
    let travelled = units.travelledTargets(link, isNear ? .near : .far)
    let strangers = travelled.isEmpty ? "" : "AND t.Z_ENT NOT IN (\(LinkReading.list(travelled)))"
    // The pairs have no key of their own: SQLite makes an index for the join by itself.
    try pair.connection.query(
      """
      SELECT t.Z_PK, t.Z_ENT, p.\(own) IS NOT NULL AND \(leads)
      FROM main.\(Identifier.quoted(columns.table)) AS t
      LEFT JOIN temp.pipeline_pairs AS p ON p.\(own) = t.Z_PK
      WHERE (t.\(columns.key) IS NOT NULL OR p.\(own) IS NOT NULL) \(strangers)
      AND NOT (p.\(own) IS NOT NULL AND \(same.joined(separator: " AND ")))
      """
    ) { row in
      let entity = row.integer(1).flatMap { pair.targetSchema.entity(number: Int(clamping: $0)) }
      let property = direction.target?.property ?? columns.key
      try pair.add(
        VerificationDifference(
          row.integer(2) == 1 ? .order : .link, entity?.name ?? "", row.integer(0) ?? 0, property),
        to: &result)
    }
  }

  /// The pairs against the rows of a table of pairs, both ways.
  private func compareJoin(_ link: LinkMapping, _ result: inout VerificationResult) throws {
    let schema = pair.targetSchema
    guard let forward = LinkReading.join(link.forward.target, in: schema),
      let table = schema.joinTable(named: forward.table), let reference = link.forward.target
    else { return }
    let backward =
      table.isReflexive ? nil : LinkReading.join(link.backward.target, in: schema)?.position
    var columns = [(forward.source, "a"), (forward.destination, "b")]
    if let position = forward.position {
      columns.append((position, LinkPairs.place(in: table, link, isForward: true)))
    }
    if let position = backward {
      columns.append((position, LinkPairs.place(in: table, link, isForward: false)))
    }
    let found = "SELECT \(columns.map(\.0).joined(separator: ", ")) FROM main.\(table.name)"
    let expected = "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM temp.pipeline_pairs"
    let leads = [
      "main.\(table.name) WHERE \(forward.source) = ?1 AND \(forward.destination) = ?2",
      "temp.pipeline_pairs WHERE a = ?1 AND b = ?2",
    ].map { "SELECT 1 FROM \($0) LIMIT 1" }
    for (place, sql) in ["\(expected) EXCEPT \(found)", "\(found) EXCEPT \(expected)"].enumerated()
    {
      try pair.connection.query(sql) { row in
        let keys: [Value] = [
          row.integer(0).map(Value.integer) ?? .null, row.integer(1).map(Value.integer) ?? .null,
        ]
        let isThere = try pair.connection.integer(leads[place], keys) == 1
        // Another place is another row, seen both ways.
        if isThere, place == 1 { return }
        try pair.add(
          VerificationDifference(
            isThere ? .order : .link, reference.entity, row.integer(0) ?? 0, reference.property),
          to: &result)
      }
    }
  }
}
