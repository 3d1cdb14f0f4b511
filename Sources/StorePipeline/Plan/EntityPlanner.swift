import CoreDataStore
internal import StoreMigration

/// Says how the objects of each entity travel in one step.
struct EntityPlanner {
  /// The entities: those of the source by name, then what the target alone has.
  let entities: [PlannedEntity]

  private let source: Model
  private let mapping: Mapping
  private let data: SourceData
  private let gifts: PlannedScript.Gifts
  private let ways: CopyWays?

  init(
    _ source: Model, _ target: Model, _ mapping: Mapping, _ scripts: [PlannedScript],
    _ data: SourceData, _ ways: CopyWays?
  ) throws {
    (self.source, self.mapping, self.data, self.ways) = (source, mapping, data, ways)
    gifts = PlannedScript.Gifts(scripts)
    let made = Set(scripts.filter(\.outline.makesObjects).flatMap(\.outline.creates))
    let maker = Self(source, mapping, gifts, data, ways)
    let added = mapping.added.filter { target.entity(named: $0)?.isAbstract == false }
    entities =
      try mapping.entities.filter { source.entity(named: $0.entity)?.isAbstract == false }
      .map(maker.planned)
      + added.map { name in
        let isMade = made.contains(name)
        return PlannedEntity(
          source: nil, target: name, how: isMade ? .scripted : .added, rows: isMade ? nil : 0,
          bytes: isMade ? nil : 0, attributes: [], lost: [])
      }
  }

  private init(
    _ source: Model, _ mapping: Mapping, _ gifts: PlannedScript.Gifts, _ data: SourceData,
    _ ways: CopyWays?
  ) {
    (self.source, self.mapping, self.data, self.ways) = (source, mapping, data, ways)
    self.gifts = gifts
    entities = []
  }

  private func planned(_ fate: EntityFate) throws -> PlannedEntity {
    let objects = mapping.objects(from: fate.entity)
    var planned = PlannedEntity(
      source: fate.entity, target: objects?.target, how: try way(fate, objects),
      rows: data.rows(of: fate.entity), bytes: data.bytes(of: fate.entity),
      attributes: (objects?.attributes ?? []).map { attribute in
        PlannedAttribute(attribute, isMade: gifts.has(attribute.name, from: fate.entity))
      },
      lost: try objects.map(losses) ?? loss(of: fate))
    planned.isEstimate = data.isEstimate(fate.entity)
    // A condition that cannot be used is a problem of the plan, which is reported with its line.
    planned.way = try? ways?.way(of: fate.entity)
    return planned
  }

  private func way(_ fate: EntityFate, _ objects: ObjectMapping?) throws -> PlannedEntity.Way {
    guard let objects else { return fate.fate == .scripted ? .scripted : .dropped }
    if objects.isScripted { return .scripted }
    return try objects.tableIsSame && data.isPlain(fate.entity) ? .kept : .copied
  }

  /// What is lost of objects that travel; what no object has is no loss.
  private func losses(_ objects: ObjectMapping) throws -> [PlannedLoss] {
    try objects.properties.compactMap { property in
      guard case .dropped(let isDeclared) = property.fate else { return nil }
      let values = try data.values(of: property.name, in: objects.source)
      return values == 0
        ? nil
        : PlannedLoss(
          name: "\(objects.source).\(property.name)", values: values, isDeclared: isDeclared)
    }
  }

  private func loss(of fate: EntityFate) -> [PlannedLoss] {
    guard case .dropped(let isDeclared) = fate.fate else { return [] }
    let rows = data.rows(of: fate.entity)
    return rows == 0 ? [] : [PlannedLoss(name: fate.entity, values: rows, isDeclared: isDeclared)]
  }
}

extension PlannedAttribute {
  /// What a mapping says of an attribute; what it has no value for a script may give.
  init(_ mapping: AttributeMapping, isMade: Bool) {
    var details: [String] = []
    var from: String?
    switch mapping.origin {
    case .source(let name, let conversion):
      from = name
      if let conversion {
        details.append(
          "\(conversion.source.name) to \(conversion.target.name): \(conversion.rule)")
      }
    case .value(let constant): from = constant.words
    case .null, .script, .derivation: from = nil
    }
    if let value = mapping.replacement { details.append("NULL becomes \(value.words)") }
    if mapping.storage == .gainsExternalStorage { details.append("large values may become files") }
    if mapping.storage == .losesExternalStorage { details.append("files come into the store") }
    self.init(
      name: mapping.name, from: from,
      rule: (isMade && mapping.origin == .null ? MappingRule.scripted : mapping.rule).rawValue,
      detail: details.isEmpty ? nil : details.joined(separator: "; "))
  }
}

extension ModelConstant {
  /// The value as a plan shows it.
  fileprivate var words: String {
    switch self {
    case .null: "NULL"
    case .string(let text): LuaText.quoted(text)
    case .boolean(let value): "\(value)"
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .object(let name): "an object of \(name)"
    default: text ?? "a value"
    }
  }
}
