package import CoreDataStore
package import SQLite

/// Reads a source and what was made from it again, and compares every object, link and file.
///
/// What a script makes is not compared here, but with what it makes when it runs again.
package final class StepVerification: StorePair {
  package let source: VerifiedStore
  package let target: VerifiedStore
  package let mapping: Mapping
  package let travel: LinkTravel

  package var sourceSchema: StoreSchema { source.schema }
  package var targetSchema: StoreSchema { target.schema }
  package var external: ExternalValues { ExternalValues(old: source.externalFolders, new: nil) }

  /// It was counted when the value was carried over.
  package func note(_ remark: ValueRemark, _ attribute: PropertyReference) {}

  let connection: Connection
  private let opened: OpenedStores?
  private let limit: Int
  let sample: Int?
  private let isOfMapping: Bool
  private let isFinished: Bool
  private let carriesMirror: Bool
  private let since: SavedSince?
  /// What is known of the source's pages.
  private let walk: PageWalk?
  private let proof: PageWalk?
  /// What is known of the rows of the new store.
  private(set) var found: [String: WalkedRows] = [:]
  /// The tables that the mapping leaves as they are, and of which the new store has the source's
  /// pages: their rows are the same.
  private(set) var untouched: Set<String> = []
  private var ownColumns: [String: OwnColumns] = [:]
  private var strangers: [String: Set<Int64>] = [:]

  /// Opens both stores.
  ///
  /// - Parameters:
  ///   - source: The store that was read.
  ///   - target: The store that was made, finished.
  ///   - mapping: The mapping of the step.
  ///   - associations: The file of the associations that keys do not show; nil when there are none.
  ///   - isOfMapping: Whether the mapping alone makes objects and links. Where hooks of a script
  ///     may have changed any of them, only what is computed from the new store is compared here.
  ///   - isFinished: Whether the new store is whole; before that nothing is derived in it.
  ///   - carriesMirror: Whether the new store has the source's mirror to CloudKit.
  ///   - since: What is known of a store that others may have written to since it was made; nil
  ///     when none has.
  ///   - sample: How many objects of each entity are compared; nil for all.
  ///   - limit: How many differences are reported one by one.
  ///   - walk: What a walk over the source's pages has shown; nil where there was none.
  ///   - proof: What one over the new store's pages has shown; nil where there was none.
  ///   - opened: The stores that stay open; nil where these are closed at the end.
  /// - Throws: ``Failure`` when one cannot be opened.
  package init(
    of source: VerifiedStore, and target: VerifiedStore, _ mapping: Mapping,
    associations: String? = nil, isOfMapping: Bool = true, isFinished: Bool = true,
    carriesMirror: Bool = false, since: SavedSince? = nil, sample: Int? = nil, limit: Int = 100,
    walk: PageWalk? = nil, proof: PageWalk? = nil, opened: OpenedStores? = nil
  ) throws {
    // With associations on it a connection is of no use to others.
    self.opened = associations == nil ? opened : nil
    (self.source, self.target, self.mapping, self.proof) = (source, target, mapping, proof)
    travel = LinkTravel(mapping, from: source.schema, to: target.schema)
    (self.isOfMapping, self.isFinished) = (isOfMapping, isFinished)
    self.carriesMirror = carriesMirror
    (self.since, self.sample, self.limit, self.walk) = (since, sample, limit, walk)
    do {
      guard let associations else {
        connection = try (opened ?? OpenedStores()).connection(to: target.path, from: source.path)
        return
      }
      opened?.close()
      connection = try Connection(path: target.path, mode: .foreign)
      // Before the source, which could have a table of the same name: "the first one found, in the
      // order the databases were attached, is used" (SQLite, ATTACH).
      try connection.attach(associations, as: "kept", .readOnly)
      try connection.attach(source.path, as: "source", .readOnly)
    } catch {
      throw Failure(error, what: "cannot verify the store", subject: target.path)
    }
  }

  /// Stops a comparison that is running, from any thread.
  package var interrupter: Interrupter { connection.interrupter }

  /// Compares everything, then closes both stores unless they stay open for others.
  ///
  /// `progress` is called after each entity with its name, how many are done and how many there
  /// are; what it throws ends the comparison.
  package func run(
    progress: (_ entity: String, _ done: Int, _ total: Int) throws -> Void = { _, _, _ in }
  ) throws -> VerificationResult {
    defer { if opened == nil { try? connection.close() } }
    do {
      return try connection.transaction(.deferred) { try compare(progress) }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot verify the store", subject: target.path)
    }
  }

  private func compare(
    _ progress: (String, Int, Int) throws -> Void
  ) throws -> VerificationResult {
    var result = VerificationResult(limit: limit)
    found = try connection.rows(since: proof)
    if let walk, !mayBeSaved {
      let same = try connection.untouched(since: walk, source.path)
      untouched =
        same.isEmpty
        ? []
        : try same.intersection(
          KeptTables.names(self, in: connection, as: "source"))
    }
    if isOfMapping {
      let objects = mapping.objects.filter {
        !$0.isAbstract && mapping.fate(of: $0.source) != .scripted
      }
      var extra = ExtraObjects(self)
      for (place, object) in objects.enumerated() {
        let verification = try ObjectVerification(self, object)
        let (count, isWhole) = try verification.run(&result)
        if isWhole { extra.note(count, of: object) }
        try progress(object.source, place + 1, objects.count)
      }
      try extra.find(&result)
      try LinkVerification(self).run(&result)
    }
    if isFinished { try DerivedVerification(self).run(&result) }
    if isFinished, carriesMirror { try compareMirror(&result) }
    return result
  }

  /// Compares which objects have CloudKit records.
  private func compareMirror(_ result: inout VerificationResult) throws {
    let records = try MirrorRecords(connection, of: self)
    try records?.forEachChange(mayBeSaved: mayBeSaved) { entity, key in
      try add(VerificationDifference(.record, entity.name, key), to: &result)
    }
  }

  /// How many objects of an entity are in a table that is untouched; nil where it is another one.
  func countOfUntouched(_ entity: EntityLayout) -> Int? {
    guard untouched.contains(entity.table) else { return nil }
    return count(of: entity)
  }

  /// How many objects of an entity are in the source, as far as it is known.
  func count(of entity: EntityLayout) -> Int? {
    walk?.count(of: entity.number, in: entity.table)
  }

  /// The columns in which objects of an entity of the new store may have something.
  func columns(of entity: EntityLayout) -> [StoreColumn] {
    ownColumns(of: entity)?.columns(of: entity) ?? []
  }

  /// Whether some object of an entity of the new store may have a value in a column of other
  /// entities.
  func mayHaveStrangers(_ entity: EntityLayout) throws -> Bool {
    // For a sample all objects would be read.
    guard sample == nil else { return true }
    guard !entity.isAlone, !untouched.contains(entity.table) else { return false }
    let numbers = try strangers[entity.table] ?? strangers(in: entity)
    strangers[entity.table] = numbers
    return numbers.contains(Int64(entity.number))
  }

  /// The numbers of the entities in the table of one that may have such objects.
  ///
  /// One more pass over the table shows which have. Where it has more objects than all entities
  /// together would name columns, the pass takes longer than to look at these as well.
  private func strangers(in entity: EntityLayout) throws -> Set<Int64> {
    guard let table = targetSchema.table(of: entity) else { return [] }
    let last = try connection.integer("SELECT max(Z_PK) FROM main.\(Identifier.quoted(table.name))")
    if last ?? 0 > Int64(table.entities.count * table.columns.count) {
      let entities = table.entities.compactMap { targetSchema.entity(named: $0) }
      return Set(entities.map { Int64($0.number) })
    }
    return try ownColumns(of: entity)?.strangers(connection) ?? []
  }

  private func ownColumns(of entity: EntityLayout) -> OwnColumns? {
    if let known = ownColumns[entity.table] { return known }
    let columns = targetSchema.table(of: entity).map { OwnColumns($0, targetSchema) }
    ownColumns[entity.table] = columns
    return columns
  }

  /// Whether others may have written to the new store.
  var mayBeSaved: Bool { since != nil }

  /// Notes a difference, with what explains it.
  func add(_ difference: VerificationDifference, to result: inout VerificationResult) throws {
    result.add(try since?.explained(difference, self) ?? difference)
  }

  /// Whether two large values are the same file, or files with the same bytes; what is nowhere in
  /// the source may be nowhere in the new store.
  func isSame(_ old: ExternalReference, _ new: ExternalReference) throws -> Bool {
    let (before, after) = (source.file(of: old), target.file(of: new))
    return try before == after || source.digest(of: old) == target.digest(of: new)
  }
}

/// Computes derived attributes again, and compares them with what the new store has.
struct DerivedVerification {
  private let pair: StepVerification

  init(_ pair: StepVerification) { self.pair = pair }

  /// Looks at every derived attribute that SQL alone computes.
  func run(_ result: inout VerificationResult) throws {
    let schema = pair.targetSchema
    for attribute in schema.derivedAttributes {
      guard case .sql(let value) = attribute.value else { continue }
      try pair.connection.query(
        """
        SELECT t.Z_PK, t.Z_ENT FROM main.\(Identifier.quoted(attribute.table)) AS t
        WHERE \(attribute.condition)
        AND t.\(Identifier.quoted(attribute.column)) IS NOT \(value)
        """
      ) { row in
        let name = row.integer(1).flatMap { schema.entity(number: Int(clamping: $0))?.name }
        try pair.add(
          VerificationDifference(
            .value, name ?? attribute.attribute.entity, row.integer(0) ?? 0,
            attribute.attribute.property), to: &result)
      }
    }
  }
}
