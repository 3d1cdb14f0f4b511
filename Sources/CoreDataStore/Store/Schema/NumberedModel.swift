/// A model whose entities have the numbers that Core Data gives them.
struct NumberedModel {
  let model: Model
  /// The entities by number: the first has number 1.
  let entities: [Entity]

  private let numbers: [String: Int]
  private let lasts: [String: Int]
  private let owned: [String: [(owner: Entity, relationship: Relationship)]]

  /// Roots by name whatever the case, each followed by its children in the same order.
  init(_ model: Model) throws(Failure) {
    self.model = model
    var ordered: [Entity] = []
    var waiting = Self.ordered(model.roots).reversed() as [Entity]
    while let next = waiting.popLast() {
      ordered.append(next)
      waiting.append(contentsOf: Self.ordered(model.children(of: next)).reversed())
    }
    entities = ordered
    let pairs = ordered.enumerated().map { ($0.element.name, $0.offset + 1) }
    numbers = Dictionary(pairs) { first, _ in first }
    lasts = Self.lasts(ordered)
    owned = Self.owned(ordered, in: model)
    for entity in ordered { try SchemaNames.check(entity, in: model) }
  }

  /// To-manys without an inverse by their destination.
  private static func owned(
    _ ordered: [Entity], in model: Model
  ) -> [String: [(owner: Entity, relationship: Relationship)]] {
    var owned: [String: [(owner: Entity, relationship: Relationship)]] = [:]
    for entity in ordered {
      for relationship in entity.relationships
      where !relationship.isTransient && relationship.isToMany && relationship.inverseName == nil {
        owned[relationship.destination, default: []].append((entity, relationship))
      }
    }
    return owned
  }

  /// The largest number among each entity's descendants, which follow it without a gap.
  private static func lasts(_ ordered: [Entity]) -> [String: Int] {
    var lasts: [String: Int] = [:]
    for (offset, entity) in ordered.enumerated().reversed() {
      let own = max(lasts[entity.name] ?? 0, offset + 1)
      lasts[entity.name] = own
      if let parent = entity.parent { lasts[parent] = max(lasts[parent] ?? 0, own) }
    }
    return lasts
  }

  /// Entities by name, whatever the case.
  static func ordered(_ entities: [Entity]) -> [Entity] {
    entities.map { (key: $0.name.lowercased(), entity: $0) }.sorted { left, right in
      left.key == right.key
        ? NameOrder.precedes(left.entity.name, right.entity.name)
        : NameOrder.precedes(left.key, right.key)
    }.map(\.entity)
  }

  /// The number of an entity; 0 for none, as a root's parent.
  func number(of entity: String?) -> Int { entity.flatMap { numbers[$0] } ?? 0 }

  /// The numbers of an entity and everything that inherits from it.
  func family(of entity: Entity) -> ClosedRange<Int> {
    let first = number(of: entity.name)
    return first...max(first, lasts[entity.name] ?? first)
  }

  /// The entities without a parent, by number.
  var roots: [Entity] { entities.filter { $0.parent == nil } }

  /// The entities that share a root's table, by number.
  func members(of root: Entity) -> [Entity] {
    let numbers = family(of: root)
    return Array(entities[(numbers.lowerBound - 1)..<numbers.upperBound])
  }

  /// Whether entities inherit from the one of this name.
  func hasSubentities(_ name: String) -> Bool {
    (lasts[name] ?? 0) > number(of: name)
  }

  /// The name of the table an entity's objects are in.
  func table(of entity: Entity) -> String { Self.table(ofRoot: model.root(of: entity).name) }

  /// The name of a root's table.
  static func table(ofRoot name: String) -> String { "Z\(name.uppercased())" }

  /// The to-manys without an inverse that lead to an entity, by their owner's number.
  func owned(by destination: String) -> [(owner: Entity, relationship: Relationship)] {
    owned[destination] ?? []
  }

  /// The relationships of an entity that are stored, by name.
  func stored(_ entity: Entity) -> [Relationship] {
    entity.relationships.filter { !$0.isTransient }
  }
}
