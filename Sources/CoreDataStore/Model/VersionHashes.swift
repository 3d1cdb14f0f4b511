internal import Formats

/// The version hashes of a whole model, and the two digests computed from them.
public struct VersionHashes: Sendable, Equatable {
  /// The hash of each entity, as far as it can be known.
  public let entities: [String: VersionHash]
  /// Entities whose hash cannot be computed, with why; a recorded hash may stand in for it.
  public let uncertain: [String: String]
  /// Entities without any hash, by name: neither computed nor recorded.
  public let missing: [String]

  /// The hashes of a model: computed, and recorded where they cannot be.
  public init(of model: Model) { self = model.hashes.value { VersionHashes(computing: model) } }

  private init(computing model: Model) {
    let (computed, uncertain) = Self.compute(model)
    let recorded = model.recordedHashes.filter { uncertain[$0.key] != nil }
    entities = computed.merging(recorded) { own, _ in own }
    self.uncertain = uncertain
    missing = uncertain.keys.filter { recorded[$0] == nil }.sortedByName()
  }

  /// `NSStoreModelVersionHashesDigest`: SHA-512 of names and hashes; nil when a hash is missing.
  public var digest: String? { missing.isEmpty ? Self.digest(of: entities) : nil }

  /// `NSStoreModelVersionChecksumKey`: SHA-256 of the hashes; nil when a hash is missing.
  public var checksum: String? { missing.isEmpty ? Self.checksum(of: entities) : nil }

  /// The digest of hashes that are known already, a store's for instance.
  public static func digest(of hashes: [String: VersionHash]) -> String {
    let bytes = hashes.keys.sortedByName().flatMap { name in
      Array(name.utf8) + (hashes[name]?.bytes ?? [])
    }
    return Base64.encode(Digest.sha512(bytes))
  }

  /// The checksum of hashes that are known already, a store's for instance.
  public static func checksum(of hashes: [String: VersionHash]) -> String {
    let bytes = hashes.keys.sortedByName().flatMap { hashes[$0]?.bytes ?? [] }
    return Base64.encode(Digest.sha256(bytes))
  }
}

extension VersionHashes {
  /// Computes parents before their children, since a child's hash contains its parent's.
  private static func compute(_ model: Model) -> ([String: VersionHash], [String: String]) {
    var hashes: [String: VersionHash] = [:]
    var uncertain: [String: String] = [:]
    var relationships: [String: [String: PropertyHash]] = [:]
    for entity in model.roots.flatMap(model.descendants(of:)) {
      // What a parent has its children have too, and each is hashed once, where it is declared.
      var all = entity.parent.flatMap { relationships[$0] } ?? [:]
      for own in entity.relationships {
        all[own.name] =
          own.isTransient ? nil : PropertyHash.of(own, in: model, declaredBy: entity)
      }
      relationships[entity.name] = all
      switch hash(of: entity, in: model, parent: entity.parent.flatMap { hashes[$0] }, all) {
      case .known(let hash): hashes[entity.name] = hash
      case .uncertain(let why): uncertain[entity.name] = why
      }
    }
    return (hashes, uncertain)
  }

  private static func hash(
    of entity: Entity, in model: Model, parent: VersionHash?,
    _ relationships: [String: PropertyHash]
  ) -> PropertyHash {
    var properties: [(name: String, hash: VersionHash)] = []
    let attributes = model.allAttributes(of: entity).filter { !$0.isElement }
    for attribute in attributes + model.allComposites(of: entity) where !attribute.isTransient {
      let answer = PropertyHash.of(attribute)
      guard case .known(let hash) = answer else { return answer }
      properties.append((attribute.name, hash))
    }
    for (name, answer) in relationships.sorted(by: { NameOrder.precedes($0.key, $1.key) }) {
      guard case .known(let hash) = answer else { return answer }
      properties.append((name, hash))
    }
    return .known(combined(entity, parent, properties))
  }

  private static func combined(
    _ entity: Entity, _ parent: VersionHash?, _ properties: [(name: String, hash: VersionHash)]
  ) -> VersionHash {
    var input = VersionHashInput()
    input.add(entity.name)
    input.add(byte: entity.isAbstract ? 1 : 0)
    if let parent { input.add(parent) }
    for property in properties.sorted(by: { NameOrder.precedes($0.name, $1.name) }) {
      input.add(property.hash)
    }
    input.add(optional: entity.hashModifier)
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sortedByName() { input.add(constraint) }
    return input.hash
  }
}

extension VersionHashes {
  /// Compares what was computed with what was recorded next to a model.
  static func check(_ model: Model) throws {
    guard !model.recordedHashes.isEmpty else { return }
    let (computed, _) = compute(model)
    let differing = computed.keys.filter { name in
      model.recordedHashes[name].map { $0 != computed[name] } ?? false
    }
    let strange = model.recordedHashes.keys.filter { model.entity(named: $0) == nil }
    guard let name = (differing + strange).sortedByName().first else { return }
    throw Failure(
      readingModel: "model \(model.name), entity \(name)",
      why: "Its version hash, computed from the model, is not the one recorded next to it.",
      remedy: "The model and its record are of different builds: take both from the same build.")
  }
}

extension Model {
  /// Whether a store of one model is a store of the other: their version hashes are the same.
  package func isSame(as other: Model) -> Bool {
    let (one, two) = (VersionHashes(of: self), VersionHashes(of: other))
    return one.missing.isEmpty && two.missing.isEmpty && one.entities == two.entities
  }
}
