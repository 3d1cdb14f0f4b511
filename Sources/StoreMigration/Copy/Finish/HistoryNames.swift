internal import CoreDataStore

/// What the names that a history keeps of one source entity's properties are in the new model.
struct HistoryNames {
  private let old: HistoryBits
  private let tombstones: [String]
  private let attributes: [AttributeMapping]
  /// What the relationships of the source are called in the target.
  private let links: [PropertyReference: Set<String>]

  /// The names of an entity; `object` is nil where a script alone decides what its objects become.
  init(_ builder: StoreBuilder, from layout: EntityLayout, _ object: ObjectMapping?) {
    let model = builder.sourceSchema.model
    old = HistoryBits(of: layout, in: builder.sourceSchema)
    tombstones =
      model.entity(named: layout.name).map { HistoryTables.tombstones(of: $0, in: model) } ?? []
    attributes = object?.attributes ?? []
    var links: [PropertyReference: Set<String>] = [:]
    for direction in builder.mapping.links.flatMap({ [$0.forward, $0.backward] })
    where direction.isPaired {
      guard let source = direction.source, let target = direction.target else { continue }
      links[source, default: []].insert(target.property)
    }
    self.links = links
  }

  /// How many bytes the entity's bits take.
  var length: Int { old.length }

  /// Whether each bit stands for the same as before.
  func keepsBits(of target: EntityLayout, in schema: StoreSchema) -> Bool {
    let new = HistoryBits(of: target, in: schema)
    return new.bits.count == old.bits.count
      && zip(old.bits, new.bits).allSatisfy {
        $0.part == $1.part && $0.isHidden == $1.isHidden
          && names($0) == [$1.property.property]
      }
  }

  /// The bits of some changes for the new entity; nil where there are not as many as there must be.
  func bits(
    _ changes: [[UInt8]?], as target: EntityLayout, in schema: StoreSchema
  ) -> [[UInt8]?] {
    let new = HistoryBits(of: target, in: schema)
    let targets = old.bits.map { places(of: $0, in: new.bits) }
    return changes.map { bytes -> [UInt8]? in
      guard let bytes, bytes.count == old.length else { return nil }
      var result = [UInt8](repeating: 0, count: new.length)
      for place in old.bits.indices where bytes[place / 8] & (0x80 >> (place % 8)) != 0 {
        for target in targets[place] { result[target / 8] |= 0x80 >> (target % 8) }
      }
      return result
    }
  }

  /// Where the target has a bit: for the same part of the property, or where its links stand
  /// elsewhere from now on, for that.
  private func places(of bit: HistoryBits.Bit, in bits: [HistoryBits.Bit]) -> [Int] {
    let names = names(bit)
    let found = bits.indices.filter {
      names.contains(bits[$0].property.property) && bits[$0].isHidden == bit.isHidden
    }
    let same = found.filter { bits[$0].part == bit.part }
    return same.isEmpty ? found.filter { bit.isValue && bits[$0].isValue } : same
  }

  /// The slot in which the source has the value for a slot of the target.
  func slot(_ place: Int, of target: EntityLayout, in model: Model) -> Int? {
    guard let entity = model.entity(named: target.name) else { return nil }
    let names = HistoryTables.tombstones(of: entity, in: model)
    guard names.indices.contains(place) else { return nil }
    let name = names[place]
    if let source = attributes.first(where: { $0.name == name })?.source {
      return tombstones.firstIndex(of: source)
    }
    // Core Data knows names alone; one that is called otherwise now has its value there.
    return attributes.contains { $0.source == name } ? nil : tombstones.firstIndex(of: name)
  }

  /// The names that a property has in the target: where nothing says so, its own.
  private func names(_ bit: HistoryBits.Bit) -> Set<String> {
    let name = bit.property.property
    let found =
      bit.part == .attribute
      ? Set(attributes.filter { $0.source == name }.map(\.name)) : links[bit.property] ?? []
    // Core Data knows names alone: one that is there again stands for what it stood for.
    return found.isEmpty ? [name] : found
  }
}

extension HistoryBits.Bit {
  /// Whether it stands for the value of an attribute, or the links of a relationship.
  fileprivate var isValue: Bool { [.key, .attribute, .many, .pairs].contains(part) }
}

/// What the bits of ZCOLUMNS mean, by which a change says which properties it was about.
///
/// "Bits, most significant first: foreign keys, entity keys, order keys, attributes, one-to-many
/// relationships, many-to-many relationships. Inside each kind: the root's own first, then each
/// level down, own ones by name."
private struct HistoryBits {
  /// What one bit stands for.
  struct Bit: Hashable {
    enum Part: CaseIterable { case key, entity, position, attribute, many, pairs }

    let part: Part
    let property: PropertyReference
    /// Whether it is about another entity's relationship, whose hidden column the rows have.
    var isHidden = false
  }

  /// The bits of an entity, the most significant one of the first byte first.
  let bits: [Bit]

  init(of layout: EntityLayout, in schema: StoreSchema) {
    guard let entity = schema.model.entity(named: layout.name) else {
      bits = []
      return
    }
    let lineage = schema.model.lineage(of: entity).reversed()
    let levels = lineage.map { Self.bits(of: $0, in: schema) }
    bits = Bit.Part.allCases.flatMap { part in
      levels.flatMap { level in level.filter { $0.part == part } }
    }
  }

  /// How many bytes they take.
  var length: Int { (bits.count + 7) / 8 }

  /// The bits of the properties that an entity declares itself.
  private static func bits(of entity: Entity, in schema: StoreSchema) -> [Bit] {
    guard let layout = schema.entity(named: entity.name),
      let table = schema.table(of: layout)
    else { return [] }
    var bits: [Bit] = []
    var hidden: [Bit] = []
    for column in table.columns {
      switch column.role {
      case .primaryKey, .entityNumber, .saveCounter: continue
      case .attribute(let name) where name.entity == entity.name:
        bits.append(Bit(part: .attribute, property: name))
      case .toOne(let name) where name.entity == entity.name:
        bits.append(Bit(part: .key, property: name))
      case .destinationEntity(let name) where name.entity == entity.name:
        bits.append(Bit(part: .entity, property: name))
      case .position(let name) where name.entity == entity.name:
        bits.append(Bit(part: .position, property: name))
      // A hidden key of a to-many without an inverse stands in rows of its destination.
      case .owner(let name) where schema.model.leads(name, to: entity):
        hidden.append(Bit(part: .key, property: name, isHidden: true))
      case .ownerPosition(let name) where schema.model.leads(name, to: entity):
        hidden.append(Bit(part: .position, property: name, isHidden: true))
      case .attribute, .toOne, .destinationEntity, .position, .owner, .ownerPosition: continue
      }
    }
    for relationship in entity.relationships {
      let name = PropertyReference(entity.name, relationship.name)
      switch layout[relationship.name] {
      case .toMany: bits.append(Bit(part: .many, property: name))
      case .manyToMany: bits.append(Bit(part: .pairs, property: name))
      case .attribute, .toOne, .notStored, nil: continue
      }
    }
    return bits.sorted { NameOrder.precedes($0.property.property, $1.property.property) } + hidden
  }
}

extension Model {
  /// Whether a relationship leads to an entity as it is declared.
  fileprivate func leads(_ name: PropertyReference, to entity: Entity) -> Bool {
    relationship(name.property, ofEntity: name.entity)?.destination == entity.name
  }
}
