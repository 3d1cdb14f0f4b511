internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// Compares two stores object by object, with the names of their models.
///
/// Both are read in the order of their keys and merged, so that memory does not grow with them.
/// Save counters, entity numbers, the order of columns, the version of Core Data, the model cache
/// and our own log are no differences.
package final class StoreComparison {
  /// The store as it was.
  package let first: ComparedStore
  /// The store as it is.
  package let second: ComparedStore
  /// The entities that are compared, by name.
  package let pairs: [EntityPair]

  private let choices: ComparisonChoices
  private static let what = "cannot compare the stores"
  private static let attached = "associations"

  /// Pairs the entities and their properties.
  ///
  /// - Throws: ``StoreError`` when nothing of the two can be paired, ``ComparisonError`` for a name
  ///   that neither has, ``ConditionError`` for a condition that cannot be used.
  package init(
    _ first: ComparedStore, _ second: ComparedStore,
    choices: ComparisonChoices = ComparisonChoices()
  ) throws {
    self.first = first
    self.second = second
    self.choices = choices
    try first.checkTables()
    try second.checkTables()
    pairs = try PairSearch(first, second, choices).pairs()
  }

  /// Compares; hands over each object that differs as it is found, and gives back the counts.
  ///
  /// - Throws: ``StoreError`` when a store cannot be read or has changed meanwhile, and what
  ///   `progress` and `body` throw.
  package func run(
    _ body: (ChangedObject) throws -> Void = { _ in },
    progress: (ComparisonProgress) throws -> Void = { _ in }
  ) throws -> StoreDifference {
    do {
      let database = try attachAssociations()
      defer { if database == Self.attached { try? second.connection.detach(Self.attached) } }
      return try second.connection.transaction(.deferred) {
        try first.connection.transaction(.deferred) { try compare(database, progress, body) }
      }
    } catch let error as SQLiteError {
      let subject = error.path == first.connection.path ? first.path : second.path
      throw StoreError(error, what: Self.what, subject: subject)
    }
  }

  /// The name under which the second connection has the associations of a run.
  private func attachAssociations() throws -> String? {
    guard let path = choices.associations else { return nil }
    let resolved = try? FileSystem.realPath(path)
    if resolved == second.connection.path { return "main" }
    try second.connection.attach(path, as: Self.attached, .readOnly)
    return Self.attached
  }

  private func compare(
    _ database: String?, _ progress: (ComparisonProgress) throws -> Void,
    _ body: (ChangedObject) throws -> Void
  ) throws -> StoreDifference {
    var difference = StoreDifference()
    let partners = try PartnerTable(first, second, pairs, database: database)
    defer { partners.drop() }
    let values = ValueComparison(
      ExternalContents(first.externalFolders, limit: choices.contentLimit),
      ExternalContents(second.externalFolders, limit: choices.contentLimit))
    for pair in pairs {
      let work = EntityComparing(first, second, pair, partners, values)
      difference.entities.append(try work.run(progress, body))
    }
    if choices.entities.isEmpty, let old = first.metadata, let new = second.metadata {
      difference.metadata = MetadataComparison.differences(old, new)
    }
    try first.checkUnchanged()
    try second.checkUnchanged()
    return difference
  }
}
