internal import CoreDataStore
package import SQLite

/// Counts what happened to every value and link of a store in the one that was made from it.
///
/// Nothing is taken from the plan but where to look: values are counted in the source, and looked
/// for in the new store.
package final class LossCount {
  let source: VerifiedStore
  let target: VerifiedStore
  /// The mapping of each step.
  let steps: [Mapping]
  /// A connection on which the new store is `main`, the old one `source`.
  let connection: Connection
  /// What was counted of relationships, by their names in the source.
  var links: [PropertyReference: LinkCounts] = [:]
  private var courses: [Int: EntityCourse] = [:]
  /// Tables that both stores have in the same pages.
  package let sameTables: Set<String>
  /// Columns that are as they were, known when ``run(progress:)`` has begun.
  package private(set) var keptColumns = KeptColumns()
  /// What a look at the old store's rows has shown.
  private(set) var facts: RowFacts?
  /// What is known of the old store's pages.
  let walk: PageWalk?
  private let hasAssociations: Bool
  private let hasMerged: Bool
  private static let what = "cannot count what was lost"

  /// Opens both stores.
  ///
  /// - Parameters:
  ///   - source: The store that was read.
  ///   - target: The store that was made.
  ///   - steps: The mapping of each step.
  ///   - associations: The file that says which object came of which; nil where keys say it.
  ///   - walk: What a walk over the old store's pages has shown; nil where there was none.
  /// - Throws: ``Failure`` when one cannot be opened.
  package init(
    of source: VerifiedStore, in target: VerifiedStore, _ steps: [Mapping], associations: String?,
    walk: PageWalk? = nil
  ) throws {
    (self.source, self.target, self.steps, self.walk) = (source, target, steps, walk)
    hasAssociations = associations != nil
    do {
      connection = try Connection(path: target.path, mode: .foreign)
      if let associations { try connection.attach(associations, as: "kept", .readOnly) }
      try connection.attach(source.path, as: "source", .readOnly)
      if let walk {
        sameTables = try connection.untouched(since: walk, source.path)
      } else {
        sameTables = []
      }
      hasMerged =
        try associations == nil ? false : KeptAssociations.hasMerged(connection, in: "kept")
    } catch {
      throw Failure(error, what: Self.what, subject: target.path)
    }
  }

  /// Counts everything, then closes both stores: entity by entity, attributes before relationships.
  ///
  /// `progress` is called before each entity with its name; what it throws ends the count.
  package func run(progress: (String) throws -> Void = { _ in }) throws -> [PropertyLoss] {
    defer { try? connection.close() }
    do {
      return try connection.transaction(.deferred) {
        try look(progress)
        return try source.schema.entities.sorted { NameOrder.precedes($0.name, $1.name) }
          .flatMap { entity in
            try progress(entity.name)
            let attributes = entity.isAbstract ? [] : try AttributeLosses(self, entity).count()
            return try attributes + LinkLosses(self, entity).count()
          }
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: Self.what, subject: target.path)
    }
  }

  /// Looks at the rows of both stores: of most attributes and links that shows that all is there.
  private func look(_ progress: (String) throws -> Void) throws {
    let entities = source.schema.entities.filter { !$0.isAbstract }
    let first = entities.first?.name ?? ""
    try progress(first)
    let targets = entities.compactMap { entity in
      course(of: entity).target.flatMap(target.schema.entity(named:))
    }
    keptColumns = try KeptColumns(
      connection, old: Set(entities.map(\.table)), new: Set(targets.map(\.table)))
    var columns: [KeyColumn] = []
    for entity in source.schema.entities {
      for relationship in source.schema.model.entity(named: entity.name)?.relationships ?? [] {
        guard case .toOne(let link) = entity[relationship.name],
          let far = source.schema.entity(named: relationship.destination)
        else { continue }
        columns.append(KeyColumn(entity.table, link.key.name, of: far, mayBeNull: true))
      }
    }
    try progress(first)
    facts = try RowFacts(connection, source.schema, in: "source", columns: columns)
  }

  /// What happens to the objects of one of the old store's entities.
  func course(of entity: EntityLayout) -> EntityCourse {
    if let known = courses[entity.number] { return known }
    let course = EntityCourse(of: entity.name, through: steps)
    courses[entity.number] = course
    return course
  }

  /// The numbers of the new store's entities in which a run has noted objects of one of the old
  /// store's; empty when their keys show which objects they became.
  func noted(_ entity: EntityLayout) throws -> [Int] {
    guard hasAssociations else { return [] }
    return try connection.rows(
      "SELECT DISTINCT entity FROM \(Self.associations) WHERE source_entity = \(entity.number)"
    ).compactMap { $0[0].integer.map { Int(clamping: $0) } }
  }

  /// Whether a stage has put others in the place of objects of one of the old store's entities.
  func areMerged(_ entity: EntityLayout) throws -> Bool {
    guard hasMerged else { return false }
    return try connection.integer(
      "SELECT 1 FROM \(Self.merged) WHERE source_entity = \(entity.number) LIMIT 1") == 1
  }

  /// The table in which a run has noted which object took the place of which.
  static let merged = "kept.\(BuilderTables.merged)"
  /// The table in which a run has noted which object came of which.
  static let associations = "kept.\(BuilderTables.objects)"
}
