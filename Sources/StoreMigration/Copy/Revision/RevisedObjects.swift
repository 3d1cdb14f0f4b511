internal import CoreDataStore
internal import SQLite

/// The objects of a store that is being built, in the hands of a stage that changes them.
///
/// All that is done between ``begin()`` and ``commit(_:)`` is one transaction, together with how
/// far the stage has come.
package final class RevisedObjects {
  /// What reads and writes values and links.
  package let copy: ScriptedCopy
  /// The stage's name among the units of work.
  package let unit: String

  let builder: StoreBuilder
  private let groups: ObjectGroups
  private let isOfRetry: Bool
  /// What holds for a row `s` of a pass.
  private let filter: String

  /// The objects of a store; all of them, and their links, have to be there.
  ///
  /// Of a retry: a pass has the objects that it has put in, and only these can be taken out.
  package init(_ builder: StoreBuilder, unit: String, isOfRetry: Bool = false) {
    (self.builder, self.unit, self.isOfRetry) = (builder, unit, isOfRetry)
    copy = ScriptedCopy(revising: builder)
    groups = ObjectGroups(builder, isOfRetry: isOfRetry)
    filter = isOfRetry ? " AND \(BuilderTables.isPutIn("s"))" : ""
  }

  /// How far an earlier run of the stage has come; nil when it has not begun.
  package func progress() throws -> ProgressRow? { try builder.progress(of: unit) }

  /// Begins what is kept as a whole or not at all.
  package func begin() throws {
    try telling {
      try builder.connection.run("BEGIN IMMEDIATE", [])
      try builder.indexAssociations()
    }
  }

  /// Keeps what was done, and notes how far the stage has come.
  package func commit(_ row: ProgressRow) throws {
    try builder.record(row)
    try telling { try builder.connection.run("COMMIT", []) }
  }

  /// Undoes what was done since the last commit.
  package func rollBack() {
    // "SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM ... might cause an automatic rollback".
    if builder.connection.isInTransaction {
      try? builder.connection.rollBack()
    }
  }

  @discardableResult
  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    try builder.telling("cannot change the objects", builder.path, body)
  }
}

extension RevisedObjects {
  /// Makes an object; in a retry it is one of those that are put in.
  package func make(_ entity: String) throws -> ObjectID {
    let object = try copy.make(entity)
    if isOfRetry { try RefilledStore.note([object], in: builder) }
    return object
  }

  /// Refuses to take out what was in the store before a retry: an application may have changed it.
  func checkMayGo(_ object: ObjectID) throws {
    guard isOfRetry, try !RefilledStore.isPutIn(object, in: builder) else { return }
    throw Failure(
      .unusable, what: "cannot take an object out",
      subject: "entity \(object.entity), Z_PK \(object.key)",
      why: "It was in the store before the retry, which takes out only what it has put in.",
      remedy: "Let the stage's function 'retry' keep it.")
  }
}

// Passes.
extension RevisedObjects {
  /// Begins a pass; gives back the place of its last object and how many objects it has.
  ///
  /// What the stage makes meanwhile has higher keys and is not part of it; in a pass by groups each
  /// object stays in the group it is in now.
  package func prepare(_ pass: ObjectPass) throws -> (end: Int64, total: Int) {
    if pass.grouping != nil { return try telling { try groups.fill(pass) } }
    let search = try copy.search(pass.entity, pass.condition)
    return try telling {
      let row = try builder.connection.rows(
        """
        SELECT max(s.Z_PK), count(*) FROM \(copy.table(search.layout)) AS s
        WHERE \(search.filter)\(filter)
        """, search.values
      ).first
      return (row?[0].integer ?? 0, Int(row?[1].integer ?? 0))
    }
  }

  /// The next objects of a pass behind a place, or the first, and up to its end.
  package func next(
    _ pass: ObjectPass, after place: Int64?, end: Int64, limit: Int
  ) throws -> [PassedObject] {
    let range: [Value] = [.behind(place), .integer(end)]
    let most = [Value.integer(Int64(limit))]
    if pass.grouping != nil { return try telling { try groups.next(pass, range + most) } }
    let search = try copy.search(pass.entity, pass.condition)
    return try telling {
      try builder.connection.rows(
        """
        SELECT s.Z_ENT, s.Z_PK FROM \(copy.table(search.layout)) AS s
        WHERE s.Z_PK > ? AND s.Z_PK <= ? AND \(search.filter)\(filter)
        ORDER BY s.Z_PK LIMIT ?
        """, range + search.values + most
      ).compactMap { row in
        copy.targetID(row).map { PassedObject(place: $0.key, id: $0, group: nil) }
      }
    }
  }

  package func end(_ pass: ObjectPass) throws {
    if pass.grouping != nil { try telling { try groups.drop() } }
  }
}

extension RevisedObjects {
  /// Whether the source has a history of changes, in which old values may stand.
  package var hasHistory: Bool {
    get throws { try telling { try HistoryCopy(builder: builder).isThere() } }
  }
}
