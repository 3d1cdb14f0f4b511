import CoreDataStore
internal import StoreMigration

/// What is known of the objects at the start of a step: counted in the store, and followed through
/// the steps before.
indirect enum SourceData {
  /// Nothing: there is no store.
  case unknown
  /// The store, of the version that the first step starts at.
  case store(Store, StoreSchema, [String: EntityFacts])
  /// What a step leaves of what was there before it.
  case after(Mapping, [PlannedScript], Model, SourceData)

  /// How many objects are of an entity, not of those that inherit from it; nil for unknown.
  func rows(of entity: String) -> Int64? {
    switch self {
    case .unknown: return nil
    case .store(_, _, let facts): return facts[entity]?.rows ?? 0
    case .after(let mapping, let scripts, _, let before):
      guard !Self.isMade(entity, mapping, by: scripts) else { return nil }
      let parts = mapping.objects(into: entity).map { before.rows(of: $0.source) }
      return parts.reduce(0) { sum, part in sum.flatMap { sum in part.map { sum + $0 } } }
    }
  }

  /// How many objects of an entity have a value; nil for unknown.
  func values(of property: String, in entity: String) throws -> Int64? {
    switch self {
    case .unknown: return nil
    case .store(let store, let schema, let facts):
      guard let layout = schema.entity(named: entity), facts[entity] != nil else { return 0 }
      return try store.values(of: property, in: layout)
    case .after(let mapping, let scripts, let model, let before):
      guard !Self.isMade(entity, mapping, by: scripts) else { return nil }
      var sum: Int64 = 0
      for objects in mapping.objects(into: entity) {
        let part = try Self.values(of: property, objects, mapping, model, before)
        guard let part else { return nil }
        sum += part
      }
      return sum
    }
  }

  /// How many numbers of an attribute one of another type could not give back; nil for unknown.
  func misfits(of name: String, in entity: String, as type: AttributeType) throws -> Int64? {
    switch self {
    case .unknown: return nil
    case .store(let store, let schema, let facts):
      guard let layout = schema.entity(named: entity), facts[entity] != nil else { return 0 }
      return try store.misfits(of: name, in: layout, as: type)
    case .after(let mapping, let scripts, _, let before):
      guard !Self.isMade(entity, mapping, by: scripts) else { return nil }
      var sum: Int64 = 0
      for objects in mapping.objects(into: entity) {
        let part: Int64?
        switch objects.attribute(named: name)?.origin {
        case .source(let old, let conversion)
        where conversion?.isCarried != false:
          part = try before.misfits(of: old, in: objects.source, as: type)
        case .null, nil: part = 0
        case .source, .value, .script, .derivation: part = nil
        }
        guard let part else { return nil }
        sum += part
      }
      return sum
    }
  }

  /// Whether there is a store.
  var isOfStore: Bool {
    switch self {
    case .unknown: false
    case .store: true
    case .after(_, _, _, let before): before.isOfStore
    }
  }

  /// How many rows in the table of an entity without a parent name no entity.
  func strays(of root: String) -> Int64 {
    guard case .store(_, _, let facts) = self else { return 0 }
    return facts[root]?.strays ?? 0
  }

  /// Whether there is something, as far as is known: yes for what was not counted; no for what a
  /// look at a part of the store has left uncounted, since that part shows it.
  func isThere(_ count: Int64?) -> Bool { count.map { $0 != 0 } ?? !isBrief }

  private var isBrief: Bool {
    switch self {
    case .unknown: false
    case .store(let store, _, _): store.isBrief
    case .after(_, _, _, let before): before.isBrief
    }
  }

  /// Whether ``rows(of:)`` is an estimate.
  func isEstimate(_ entity: String) -> Bool {
    guard case .store(_, _, let facts) = self else { return false }
    return facts[entity]?.isEstimate == true
  }

  /// What they take in the store; nil for unknown.
  func bytes(of entity: String) -> Int64? {
    guard case .store(_, _, let facts) = self else { return nil }
    return facts[entity]?.bytes ?? 0
  }

  /// What the objects of an entity took in the store that the first step reads; nil for unknown.
  func firstBytes(of entity: String) -> Int64? {
    guard case .after(let mapping, let scripts, _, let before) = self else {
      return bytes(of: entity)
    }
    guard !Self.isMade(entity, mapping, by: scripts) else { return nil }
    let parts = mapping.objects(into: entity).map { before.firstBytes(of: $0.source) }
    return parts.reduce(0) { sum, part in sum.flatMap { sum in part.map { sum + $0 } } }
  }

  /// The size of that store; nil where there is none.
  var storeBytes: Int64? {
    switch self {
    case .unknown: nil
    case .store(let store, _, _): store.files.bytes
    case .after(_, _, _, let before): before.storeBytes
    }
  }

  /// Whether the table of an entity is as its model says; without a store it is taken to be.
  func isPlain(_ entity: String) throws -> Bool {
    guard case .store(let store, let schema, let facts) = self else { return true }
    guard let layout = schema.entity(named: entity), let table = schema.table(of: layout),
      facts[entity] != nil
    else { return false }
    return try store.matches(table)
  }

  /// Whether a script decides how many objects there are.
  private static func isMade(
    _ entity: String, _ mapping: Mapping, by scripts: [PlannedScript]
  ) -> Bool {
    scripts.contains { script in
      script.outline.makesObjects
        && (script.outline.creates.contains(entity)
          || mapping.objects(from: script.entity)?.target == entity)
    }
  }

  private static func values(
    of property: String, _ objects: ObjectMapping, _ mapping: Mapping, _ model: Model,
    _ before: SourceData
  ) throws -> Int64? {
    if let attribute = objects.attribute(named: property) {
      switch attribute.origin {
      case .source(let name, _) where attribute.replacement == nil:
        return try before.values(of: name, in: objects.source)
      case .null: return 0
      case .script: return nil
      case .source, .value, .derivation: return before.rows(of: objects.source)
      }
    }
    guard let entity = model.entity(named: objects.target),
      let found = model.relationship(named: property, of: entity)
    else { return 0 }
    let reference = PropertyReference(found.declaredBy.name, property)
    for link in mapping.links(of: reference) {
      let direction = link.forward.target == reference ? link.forward : link.backward
      guard let source = direction.source else { continue }
      return try before.values(of: source.property, in: objects.source)
    }
    return 0
  }
}
