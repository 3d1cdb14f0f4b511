internal import SQLite

/// What a store that is mirrored to CloudKit knows of the server.
public struct MirrorFacts: Hashable, Sendable {
  /// The objects that have a record on the server or will get one.
  public internal(set) var records: Int64 = 0
  /// The zones that they are in.
  public internal(set) var zones: Int64 = 0
  /// The records whose object has changes that were not exported yet.
  public internal(set) var pendingExports: Int64 = 0
  /// The records whose deletion the server does not know yet.
  public internal(set) var pendingDeletes: Int64 = 0
  /// The records whose object is missing although it was not deleted.
  public internal(set) var withoutObject: Int64 = 0
  /// The records of an entity that the store does not have.
  public internal(set) var withoutEntity: Int64 = 0
  /// The records that were exported by a transaction which the history never had.
  public internal(set) var beyondHistory: Int64 = 0

  /// Whether the server does not know everything that has happened here.
  public var isPending: Bool { pendingExports > 0 || pendingDeletes > 0 }
}

extension MirrorFacts {
  /// Where the mirror does not fit the store, in words.
  package var misfits: [String] {
    [
      (withoutObject, "an object that does not exist"),
      (withoutEntity, "an entity that the store does not have"),
      (beyondHistory, "a transaction that the history never had"),
    ].filter { $0.0 > 0 }.map { count, what in
      "\(count) \(count == 1 ? "record refers" : "records refer") to \(what)"
    }
  }
}

extension MirrorFacts {
  /// What the mirror of a store says of itself; nil for a store that is not mirrored.
  static func read(from store: Store, _ places: EntityPlaces) throws -> MirrorFacts? {
    try MirrorReading(store, places)?.facts()
  }
}

extension Store {
  /// Whether the store has tables of a mirror to CloudKit.
  package var isMirrored: Bool {
    schema.objects.contains { $0.kind == .table && MirrorTables.has($0.name) }
  }
}

/// Reads what a mirror says, as far as the store has its tables and columns.
private struct MirrorReading {
  private let store: Store
  private let places: EntityPlaces
  private let columns: Set<String>

  init?(_ store: Store, _ places: EntityPlaces) throws {
    guard store.isMirrored else { return nil }
    (self.store, self.places) = (store, places)
    columns =
      try store.schema.table(MirrorTables.records) == nil
      ? [] : Set(store.columns(of: MirrorTables.records).map(\.name))
  }

  func facts() throws -> MirrorFacts {
    var facts = MirrorFacts()
    facts.zones = try count(MirrorTables.zones, where: "1")
    guard !columns.isEmpty else { return facts }
    facts.records = try count(MirrorTables.records, where: "1")
    facts.pendingExports = try count(where: isChanged, with: ["ZNEEDSUPLOAD"])
    facts.pendingDeletes = try count(where: isDeleted, with: ["ZNEEDSCLOUDDELETE"])
    guard columns.isSuperset(of: ["ZENTITYID", "ZENTITYPK"]) else { return facts }
    try addMisfits(to: &facts)
    facts.beyondHistory = try beyondHistory()
    return facts
  }

  /// Counts the records whose object or entity is missing; entities without a record cost nothing.
  private func addMisfits(to facts: inout MirrorFacts) throws {
    let numbers = try recorded()
    let known = places.all.filter { numbers.contains($0.number) }
    let list = known.map { "\($0.number)" }.joined(separator: ", ")
    facts.withoutEntity = try count(where: "ZENTITYID NOT IN (\(list))", with: [])
    for place in known where store.schema.table(place.table) != nil {
      facts.withoutObject += try count(
        where: """
          ZENTITYID = \(place.number) AND NOT EXISTS (
            SELECT 1 FROM \(Identifier.quoted(place.table)) AS t WHERE t.Z_PK = r.ZENTITYPK)
          AND NOT (\(isDeleted))
          """, with: ["ZNEEDSCLOUDDELETE"])
    }
  }

  /// The numbers of the store's entities that have records.
  private func recorded() throws -> Set<Int64> {
    let list = places.all.map { "\($0.number)" }.joined(separator: ", ")
    return try store.reading(
      "cannot read what is mirrored to CloudKit", of: MirrorTables.records
    ) {
      let rows = try store.connection.rows(
        "SELECT DISTINCT ZENTITYID FROM \(MirrorTables.records) WHERE ZENTITYID IN (\(list))")
      return Set(rows.compactMap { $0.first?.integer })
    }
  }

  /// The condition that an object was deleted: its record stays until the server has deleted it.
  private var isDeleted: String {
    hasHistory && columns.isSuperset(of: ["ZENTITYID", "ZENTITYPK"])
      ? """
      (ifnull(r.ZNEEDSCLOUDDELETE, 0) <> 0 OR (r.ZENTITYID, r.ZENTITYPK) IN (
        SELECT c.ZENTITY, c.ZENTITYPK FROM ACHANGE AS c
        WHERE c.ZCHANGETYPE = 2 AND c.ZENTITY IN (SELECT ZENTITYID FROM \(MirrorTables.records))))
      """ : "ifnull(r.ZNEEDSCLOUDDELETE, 0) <> 0"
  }

  private var isChanged: String {
    let waits =
      columns.contains("ZPENDINGEXPORTTRANSACTIONNUMBER")
      ? " OR r.ZPENDINGEXPORTTRANSACTIONNUMBER IS NOT NULL" : ""
    return "ifnull(r.ZNEEDSUPLOAD, 0) <> 0\(waits)\(changedSince)"
  }

  /// The condition that the history has a newer change of the object than the last exported one:
  /// the exporter marks a record only when it gets to it.
  ///
  /// SQLite computes the list of such records once, from the newest change of each object. To
  /// search the history for each record would take as many steps as records times changes.
  private var changedSince: String {
    let last = "ZLASTEXPORTEDTRANSACTIONNUMBER"
    guard hasHistory, columns.isSuperset(of: ["Z_PK", "ZENTITYID", "ZENTITYPK", last])
    else { return "" }
    return """
       OR r.Z_PK IN (
        SELECT e.Z_PK FROM (
          SELECT ZENTITY, ZENTITYPK, max(ZTRANSACTIONID) AS newest FROM ACHANGE
          WHERE ZCHANGETYPE = 1 AND ZENTITY IN (SELECT ZENTITYID FROM \(MirrorTables.records))
          GROUP BY ZENTITY, ZENTITYPK) AS c
        JOIN \(MirrorTables.records) AS e
        ON e.ZENTITYID = c.ZENTITY AND e.ZENTITYPK = c.ZENTITYPK
        WHERE c.newest > e.\(last))
      """
  }

  private var hasHistory: Bool {
    let needed: Set = ["ZENTITY", "ZENTITYPK", "ZCHANGETYPE", "ZTRANSACTIONID"]
    guard store.schema.table("ACHANGE") != nil, store.schema.table("ATRANSACTION") != nil,
      let columns = try? store.columns(of: "ACHANGE").map(\.name)
    else { return false }
    return needed.isSubset(of: columns)
  }

  private func beyondHistory() throws -> Int64 {
    let column = "ZLASTEXPORTEDTRANSACTIONNUMBER"
    guard columns.contains(column) else { return 0 }
    let highest =
      hasHistory
      ? """
      max(ifnull((SELECT max(Z_PK) FROM ATRANSACTION), 0),
      ifnull((SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT = 16002), 0))
      """ : "0"
    return try count(where: "r.\(column) > \(highest)", with: [])
  }

  private func count(where condition: String, with needed: Set<String>) throws -> Int64 {
    guard columns.isSuperset(of: needed) else { return 0 }
    return try count(MirrorTables.records, where: condition)
  }

  private func count(_ table: String, where condition: String) throws -> Int64 {
    guard store.schema.table(table) != nil else { return 0 }
    _ = try store.columns(of: table)
    return try store.reading("cannot read what is mirrored to CloudKit", of: table) {
      try store.connection.integer(
        "SELECT count(*) FROM \(table) AS r WHERE \(condition)") ?? 0
    }
  }
}
