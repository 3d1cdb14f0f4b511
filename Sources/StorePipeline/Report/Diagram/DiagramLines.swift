internal import CoreDataStore

/// Finds the lines of one version's diagram.
struct DiagramLines {
  private let boxes: DiagramBoxes
  private let model: Model
  private let entities: [(entity: Entity, difference: EntityDifference, place: Int)]
  private let places: [String: Int]

  init(_ boxes: DiagramBoxes) {
    self.boxes = boxes
    model = boxes.side == .before ? boxes.report.source : boxes.report.target
    entities = boxes.report.difference.entities.enumerated().compactMap { place, difference in
      boxes.entity(of: difference).map { ($0, difference, place) }
    }
    places = Dictionary(entities.map { ($0.entity.name, $0.place) }) { first, _ in first }
  }

  /// The lines: inheritances, then relationships, each pair of inverses once.
  func find() -> [DiagramLine] {
    var drawn: Set<String> = []
    return entities.compactMap(inheritance)
      + entities.flatMap { entity, difference, place in
        entity.relationships.compactMap { relationship in
          line(of: relationship, of: entity, difference, place, &drawn)
        }
      }
  }

  private func inheritance(
    _ entity: Entity, _ difference: EntityDifference, _ place: Int
  ) -> DiagramLine? {
    guard let parent = entity.parent, let end = places[parent] else { return nil }
    let isMoved = difference.aspects.contains { $0.name == "parent" }
    let change = whole(difference) ?? (isMoved ? .changed : .same)
    return DiagramLine(
      from: .init(box: place, mark: .none), to: .init(box: end, mark: .parent), change: change,
      words: "\(entity.name) inherits from \(parent)")
  }

  private func line(
    of relationship: Relationship, of entity: Entity, _ difference: EntityDifference, _ place: Int,
    _ drawn: inout Set<String>
  ) -> DiagramLine? {
    guard let end = places[relationship.destination],
      drawn.insert("\(entity.name).\(relationship.name)").inserted
    else { return nil }
    let inverse = inverse(of: relationship)
    if let inverse { drawn.insert("\(relationship.destination).\(inverse.name)") }
    let own = change(of: relationship.name, in: difference)
    let other = inverse.map { change(of: $0.name, in: boxes.report.difference.entities[end]) }
    return DiagramLine(
      from: .init(
        box: place, property: relationship.name,
        mark: inverse.map { $0.isToMany ? .many : .one } ?? .none),
      to: .init(
        box: end, property: inverse?.name, mark: relationship.isToMany ? .many : .one),
      change: Self.stronger(own, other ?? .same),
      words: "\(entity.name).\(relationship.name), \(PropertyText.summary(of: relationship))")
  }

  /// The inverse, if the destination itself declares it.
  private func inverse(of relationship: Relationship) -> Relationship? {
    relationship.inverseName.flatMap {
      model.entity(named: relationship.destination)?.relationship(named: $0)
    }
  }

  private func change(of property: String, in difference: EntityDifference) -> Change {
    whole(difference) ?? boxes.change(of: property, in: difference)?.change ?? .same
  }

  /// What is shown for a line whose two directions fared differently.
  private static func stronger(_ one: Change, _ other: Change) -> Change {
    [.added, .removed, .renamed, .changed].first { $0 == one || $0 == other } ?? .same
  }

  /// What happened to all of an entity.
  private func whole(_ difference: EntityDifference) -> Change? {
    [.added, .removed].contains(difference.change) ? difference.change : nil
  }
}
