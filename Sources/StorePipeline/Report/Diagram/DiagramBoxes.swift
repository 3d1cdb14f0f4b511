internal import CoreDataStore

/// Makes the boxes of one version's diagram.
struct DiagramBoxes {
  /// The versions a diagram can show.
  enum Side: String {
    case before, after
  }

  /// With more entities than this, what stayed the same is one row.
  static let mostInFull = 16

  let report: ModelDifferenceReport
  let side: Side
  /// What happened to the properties of each entity that this version has.
  private let changes: [Subject: [String: PropertyDifference]]

  /// An entity's difference: what is removed may have the name of another one that is new.
  private struct Subject: Hashable {
    let name: String
    let change: Change

    init(_ difference: EntityDifference) { (name, change) = (difference.name, difference.change) }
  }

  init(report: ModelDifferenceReport, side: Side) {
    (self.report, self.side) = (report, side)
    let entities = report.difference.entities.map { entity in
      let properties = entity.properties.compactMap { property in
        Self.name(of: property, on: side).map { ($0, property) }
      }
      return (Subject(entity), Dictionary(properties) { first, _ in first })
    }
    changes = Dictionary(entities) { first, _ in first }
  }

  /// The name of a property in a version; nil where that does not have it.
  private static func name(of property: PropertyDifference, on side: Side) -> String? {
    switch (side, property.change) {
    case (.before, .added), (.after, .removed): nil
    case (.before, _): property.from ?? property.name
    case (.after, _): property.name
    }
  }

  private var isCompact: Bool { report.difference.entities.count > Self.mostInFull }
  private var model: Model { side == .before ? report.source : report.target }

  /// The box of an entity; nil when this version does not have it.
  func box(of difference: EntityDifference) -> DiagramBox? {
    guard let entity = entity(of: difference) else { return nil }
    let properties = PropertyText.declared(by: entity)
    let rows = properties.map { row(of: $0, in: difference) }
    return DiagramBox(
      name: entity.name, change: difference.change, words: report.words(for: difference),
      subtitle: subtitle(entity, difference), obstacle: difference.obstacle,
      rows: isCompact ? compact(rows, properties) : rows)
  }

  func entity(of difference: EntityDifference) -> Entity? {
    switch (side, difference.change) {
    case (.before, .added), (.after, .removed): nil
    case (.before, _): model.entity(named: difference.from ?? difference.name)
    case (.after, _): model.entity(named: difference.name)
    }
  }

  private func subtitle(_ entity: Entity, _ difference: EntityDifference) -> String {
    let otherName = side == .before ? "becomes \(difference.name)" : "was \(difference.from ?? "")"
    let parts: [String?] = [
      difference.from == nil ? nil : otherName,
      entity.isAbstract ? "abstract" : nil,
      entity.parent.map { "inherits from \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// What happened to a property that this version has.
  func change(of property: String, in difference: EntityDifference) -> PropertyDifference? {
    changes[Subject(difference)]?[property]
  }

  private func row(of property: any Property, in difference: EntityDifference) -> DiagramBox.Row {
    let type = PropertyText.type(of: property)
    let summary = PropertyText.summary(of: property)
    guard let change = change(of: property.name, in: difference) else {
      let whole: Change =
        [.added, .removed].contains(difference.change) ? difference.change : .same
      return .init(name: property.name, type: type, change: whole, words: summary)
    }
    let words = report.words(for: change, of: difference)
    return .init(
      name: property.name, type: type, change: change.change, words: "\(summary). \(words)",
      obstacle: change.obstacle)
  }

  /// The rows that changed, and one for all the others.
  private func compact(
    _ rows: [DiagramBox.Row], _ properties: [any Property]
  ) -> [DiagramBox.Row] {
    let quiet = rows.indices.filter { rows[$0].change == .same }
    guard quiet.count > 1 else { return rows }
    let count = PropertyText.count(of: quiet.map { properties[$0] })
    let line = DiagramBox.Row(
      type: quiet.count == rows.count ? count : "\(quiet.count) unchanged", words: count,
      standsFor: quiet.map { properties[$0].name })
    return rows.filter { $0.change != .same } + [line]
  }
}
