internal import Synchronization

/// One version of a data model, the same whatever file it came from.
public struct Model: Sendable, Equatable {
  /// The version's name, as files and messages give it.
  public let name: String
  /// The entities, by name.
  public let entities: [Entity]
  /// The identifiers a developer gave the version; a hint only.
  public let versionIdentifiers: [String]
  /// The names of configurations, with the entities of each.
  public let configurations: [String: [String]]
  /// The fetches it keeps under a name.
  public let fetchRequests: [FetchRequest]
  /// Version hashes that were recorded next to the model, by entity.
  public let recordedHashes: [String: VersionHash]

  /// Its version hashes, once they were asked for.
  let hashes = HashesComputed()

  private let positions: [String: Int]
  private let childNames: [String: [String]]

  /// A model of these parts.
  ///
  /// - Throws: ``Failure`` when the parts do not fit together: an entity twice, a parent or a
  ///   destination that is not there, a circle of parents.
  public init(
    name: String, entities: [Entity], versionIdentifiers: [String] = [],
    configurations: [String: [String]] = [:], fetchRequests: [FetchRequest] = [],
    recordedHashes: [String: VersionHash] = [:]
  ) throws {
    self.name = name
    self.entities = entities.sorted { NameOrder.precedes($0.name, $1.name) }
    self.versionIdentifiers = versionIdentifiers.sortedByName()
    self.configurations = configurations.mapValues { $0.sortedByName() }
    self.fetchRequests = fetchRequests.sorted { NameOrder.precedes($0.name, $1.name) }
    self.recordedHashes = recordedHashes
    let numbered = self.entities.enumerated().map { ($0.element.name, $0.offset) }
    positions = Dictionary(numbered) { first, _ in first }
    childNames = Dictionary(grouping: self.entities.filter { $0.parent != nil }) {
      $0.parent ?? ""
    }.mapValues { $0.map(\.name) }
    try ModelCheck(self).run()
    try VersionHashes.check(self)
  }

  /// What copies of a model have in common, and models that are read or made again have not.
  package var identity: ObjectIdentifier { ObjectIdentifier(hashes) }

  /// The entity of this name.
  public func entity(named name: String) -> Entity? { positions[name].map { entities[$0] } }

  /// The entities without a parent, by name.
  public var roots: [Entity] { entities.filter { $0.parent == nil } }

  /// The entity that this one inherits from.
  public func parent(of entity: Entity) -> Entity? { entity.parent.flatMap(self.entity(named:)) }

  /// The entities that inherit from this one directly, by name.
  public func children(of entity: Entity) -> [Entity] {
    childNames[entity.name, default: []].compactMap(self.entity(named:))
  }

  /// The same model with hashes that were recorded for it, by a store for instance.
  ///
  /// - Throws: ``Failure`` when they are not those of this model.
  public func with(recordedHashes: [String: VersionHash]) throws -> Model {
    try Model(
      name: name, entities: entities, versionIdentifiers: versionIdentifiers,
      configurations: configurations, fetchRequests: fetchRequests,
      recordedHashes: recordedHashes)
  }
}

/// The version hashes of a model, computed when they are asked for, and once.
final class HashesComputed: Sendable {
  private let known = Mutex<VersionHashes?>(nil)

  /// The hashes; two that ask at once may both compute them.
  func value(_ compute: () -> VersionHashes) -> VersionHashes {
    if let known = known.withLock({ $0 }) { return known }
    let hashes = compute()
    known.withLock { $0 = hashes }
    return hashes
  }
}

extension HashesComputed: Equatable {
  /// They follow from the model, and distinguish none from another.
  static func == (_: HashesComputed, _: HashesComputed) -> Bool { true }
}
