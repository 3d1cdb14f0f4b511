internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// Compares two stores object by object, with the names of their models.
///
/// Both are read in the order of their keys and merged, so that memory does not grow with them.
/// Save counters, entity numbers, the order of columns, the version of Core Data, the model cache
/// and our own log are no differences.
package final class StoreComparison {
  package let first: ComparedStore
  package let second: ComparedStore
  /// The entities that are compared, by name.
  package let pairs: [EntityPair]

  private let choices: ComparisonChoices
  private static let what = "cannot compare the stores"
  private static let attached = "associations"

  /// Pairs the entities and their properties.
  ///
  /// - Throws: ``Failure`` when nothing of the two can be paired, for a name that
  ///   neither has, and for a condition that cannot be used.
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
  /// - Throws: ``Failure`` when a store cannot be read or has changed meanwhile, and what
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
      throw Failure(error, what: Self.what, subject: subject)
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
      let work = EntityComparing(
        first, second, pair, partners, values, choices)
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

/// Compares what two stores say of themselves.
enum MetadataComparison {
  /// What says nothing of the data: versions of the framework, digests of what is compared itself,
  /// and our log.
  private static let ignored: Set = [
    Metadata.Key.framework, "NSPersistenceMaximumFrameworkVersion", Metadata.Key.digest,
    Metadata.Key.checksum, Metadata.Key.log,
  ]

  /// The entries that differ, by key; the UUID first.
  static func differences(_ old: Metadata, _ new: Metadata) -> [ChangedMetadata] {
    let identity =
      old.uuid == new.uuid
      ? []
      : [
        ChangedMetadata(
          key: ChangedMetadata.uuid, old: .string(old.uuid), new: .string(new.uuid),
          isApplications: false)
      ]
    let own = Set(old.applicationKeys + new.applicationKeys + old.ubiquityKeys + new.ubiquityKeys)
    let keys = Set(old.entries.keys).union(new.entries.keys).subtracting(ignored)
    return identity
      + keys.sortedByName().filter { old.entries[$0] != new.entries[$0] }.map { key in
        ChangedMetadata(
          key: key, old: old.entries[key], new: new.entries[key],
          isApplications: own.contains(key))
      }
  }
}
