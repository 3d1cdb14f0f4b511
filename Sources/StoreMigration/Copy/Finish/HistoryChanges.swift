internal import CoreDataStore
internal import SQLite

/// What the rows of ACHANGE become.
struct HistoryChanges {
  /// What happens to the changes of one source entity's objects.
  private struct Fate {
    let source: EntityLayout
    /// What the entity becomes; nil where each object has an entity of its own.
    let target: EntityLayout?
    /// Whether the objects have other keys.
    let isReassigned: Bool
    let names: HistoryNames
    /// Whether each bit of a change stands for the same as before.
    let keepsBits: Bool
  }

  private let builder: StoreBuilder
  private let fates: [Fate]
  /// The numbers of the entities that end.
  let removed: [Int]

  init(_ builder: StoreBuilder) {
    self.builder = builder
    var fates: [Fate] = []
    for layout in builder.sourceSchema.entities where !layout.isAbstract {
      let isScripted = builder.mapping.fate(of: layout.name) == .scripted
      let object = builder.mapping.objects(from: layout.name)
      let new = object.flatMap { builder.targetSchema.entity(named: $0.target) }
      guard isScripted || new?.isAbstract == false else { continue }
      let (names, target) = (HistoryNames(builder, from: layout, object), isScripted ? nil : new)
      fates.append(
        Fate(
          source: layout, target: target,
          isReassigned: isScripted || object?.keys == .renumbered, names: names,
          keepsBits: target.map { names.keepsBits(of: $0, in: builder.targetSchema) } ?? false))
    }
    self.fates = fates
    let kept = Set(fates.map(\.source.number))
    removed = builder.sourceSchema.entities.map(\.number).filter { !kept.contains($0) }
  }

  /// Which changes come over: those of objects whose entity and key are known.
  var filter: String {
    guard !fates.isEmpty else { return "0" }
    let cases = fates.map { fate in
      "WHEN \(fate.source.number) THEN "
        + "\(fate.isReassigned ? "\(association("object", fate)) IS NOT NULL" : "1") "
    }
    return "CASE s.ZENTITY \(cases.joined())ELSE 0 END"
  }

  /// The value of a column of the target, as an expression over the source's row, `s`; `there` are
  /// the columns that the source has.
  func value(of column: String, there: Set<String>) -> String {
    switch column {
    case "ZENTITY": value(entity)
    case "ZENTITYPK": value { $0.isReassigned ? association("object", $0) : "s.ZENTITYPK" }
    case "ZCOLUMNS":
      "CASE WHEN \(Self.hasBits) THEN "
        + value { $0.keepsBits ? "s.ZCOLUMNS" : bitmap($0) } + " ELSE s.ZCOLUMNS END"
    case _ where column.hasPrefix(Self.slot): value { slot(column, $0, there) }
    default: there.contains(column) ? "s.\(Identifier.quoted(column))" : "NULL"
    }
  }

  private static let slot = "ZTOMBSTONE"

  private func value(_ each: (Fate) -> String) -> String {
    guard !fates.isEmpty else { return "NULL" }
    return "CASE s.ZENTITY "
      + "\(fates.map { "WHEN \($0.source.number) THEN \(each($0)) " }.joined())END"
  }

  private func entity(_ fate: Fate) -> String {
    fate.target.map { String($0.number) } ?? association("entity", fate)
  }

  private func association(_ column: String, _ fate: Fate) -> String {
    "(SELECT o.\(column) FROM main.\(BuilderTables.objects) AS o "
      + "WHERE o.source_entity = \(fate.source.number) AND o.source = s.ZENTITYPK "
      + "ORDER BY o.place, o.object LIMIT 1)"
  }

  /// The value that a deleted object left behind, by the attribute's name.
  private func slot(_ column: String, _ fate: Fate, _ there: Set<String>) -> String {
    guard let place = Int(column.dropFirst(Self.slot.count)) else { return "NULL" }
    func old(_ target: EntityLayout) -> String {
      guard let old = fate.names.slot(place, of: target, in: builder.targetSchema.model),
        there.contains("\(Self.slot)\(old)")
      else { return "NULL" }
      return "s.\(Self.slot)\(old)"
    }
    if let target = fate.target { return old(target) }
    let cases = builder.targetSchema.entities.compactMap { target in
      let value = old(target)
      return value == "NULL" ? nil : "WHEN \(target.number) THEN \(value) "
    }
    return cases.isEmpty ? "NULL" : "CASE \(association("entity", fate)) \(cases.joined())END"
  }
}

// The bits of ZCOLUMNS, each for what it stood for.
extension HistoryChanges {
  private static let bitmaps = "pipeline_bitmaps"

  private func bitmap(_ fate: Fate) -> String {
    """
    (SELECT b.new FROM temp.\(Self.bitmaps) AS b WHERE b.old_entity = s.ZENTITY
    AND b.new_entity = \(entity(fate)) AND b.old = s.ZCOLUMNS)
    """
  }

  /// Core Data notes the changed properties of an update alone.
  private static let hasBits = "s.ZCHANGETYPE = 1 AND s.ZCOLUMNS IS NOT NULL"

  /// Works out what each combination of bits becomes: there are few, however many the changes.
  ///
  /// - Parameter last: The transaction up to which all go; nil where none does.
  /// - Throws: ``Failure`` for one that is longer or shorter than its entity's.
  func makeBitmaps(after last: Int64?) throws {
    let connection = builder.connection
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS \(Self.bitmaps) (old_entity INTEGER, new_entity INTEGER,
      old BLOB, new BLOB, PRIMARY KEY (old_entity, new_entity, old)) WITHOUT ROWID;
      DELETE FROM temp.\(Self.bitmaps)
      """)
    let changed = Dictionary(
      uniqueKeysWithValues: fates.filter { !$0.keepsBits }.map { ($0.source.number, $0) })
    let found = try connection.rows(
      """
      SELECT s.ZENTITY, \(value(entity)), s.ZCOLUMNS, min(s.Z_PK) FROM source.ACHANGE AS s
      WHERE s.ZENTITY IN (\(LinkReading.list(changed.keys.sorted()))) AND \(Self.hasBits)
      \(last.map { "AND s.ZTRANSACTIONID > \($0)" } ?? "") GROUP BY 1, 2, 3
      """)
    for (entities, rows) in Dictionary(grouping: found, by: { [$0[0].integer, $0[1].integer] }) {
      guard let source = entities[0], let fate = changed[Int(clamping: source)],
        let number = entities[1],
        let target = builder.targetSchema.entity(number: Int(clamping: number))
      else { continue }
      let made = fate.names.bits(rows.map(\.[2].blob), as: target, in: builder.targetSchema)
      for (row, bits) in zip(rows, made) {
        guard let bits else { throw misfit(fate, row) }
        try connection.run(
          "INSERT INTO temp.\(Self.bitmaps) VALUES (?1, ?2, ?3, ?4)",
          [row[0], row[1], row[2], .blob(bits)])
      }
    }
  }

  private func misfit(_ fate: Fate, _ row: [Value]) -> Failure {
    Failure(
      .unusable, what: "cannot bring over the history",
      subject: "ACHANGE, Z_PK \(row[3].integer ?? 0), entity \(fate.source.name)",
      why: "Its ZCOLUMNS has \(row[2].blob?.count ?? 0) bytes; the properties of "
        + "\(fate.source.name) need \(fate.names.length).",
      remedy: "Give up the history: history = \"drop\" in the stage metadata.")
  }
}
