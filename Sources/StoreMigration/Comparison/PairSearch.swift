internal import CoreDataStore

/// Finds which entity and property of the first store became which of the second.
struct PairSearch {
  private let first: ComparedStore
  private let second: ComparedStore
  private let choices: ComparisonChoices
  /// Whether both stores are of one version: names alone pair then, and renaming identifiers, which
  /// lead to the version before, do not.
  private let areSame: Bool
  private var old: Model { first.schema.model }
  private var new: Model { second.schema.model }

  init(_ first: ComparedStore, _ second: ComparedStore, _ choices: ComparisonChoices) {
    (self.first, self.second, self.choices) = (first, second, choices)
    areSame = Self.areSame(first.schema.model, second.schema.model)
  }

  /// Hashes alone do not tell: none covers the name of a composite.
  private static func areSame(_ old: Model, _ new: Model) -> Bool {
    old.isSame(as: new)
      && zip(old.entities, new.entities).allSatisfy {
        old.allAttributes(of: $0).map(\.name) == new.allAttributes(of: $1).map(\.name)
      }
  }

  func pairs() throws -> [EntityPair] {
    try checkNames()
    let sources = try entitySources()
    guard !sources.isEmpty else { throw nothingInCommon() }
    var pairs = try new.entities.map { try pair(sources[$0.name].flatMap(old.entity(named:)), $0) }
    let taken = Set(sources.values)
    pairs += try old.entities.filter { !taken.contains($0.name) }.map { try pair($0, nil) }
    let wanted = pairs.filter { pair in
      let isAbstract = (pair.old?.isAbstract ?? true) && (pair.new?.isAbstract ?? true)
      let isChosen =
        choices.entities.isEmpty
        || choices.entities.contains { $0 == pair.new?.name || $0 == pair.old?.name }
      return !isAbstract && isChosen
    }
    return wanted.sorted { NameOrder.precedes($0.name, $1.name) }
  }

  /// The first store's entity for each of the second that has one.
  private func entitySources() throws -> [String: String] {
    var sources =
      areSame
      ? Dictionary(old.entities.map { ($0.name, $0.name) }) { first, _ in first }
      : RenamingMatch(from: old, to: new).sources
    // An entity that is chosen has no other partner.
    let chosen = Set(choices.pairs.values)
    sources = sources.filter { !chosen.contains($0.value) }
    return sources.merging(choices.pairs) { _, chosen in chosen }
  }

  private func pair(_ source: Entity?, _ target: Entity?) throws -> EntityPair {
    let (before, after) = (source.map { $0.name }, target.map { $0.name })
    let oldLayout = before.flatMap(first.schema.entity(named:))
    let newLayout = after.flatMap(second.schema.entity(named:))
    let attributes = try attributes(source, oldLayout, target, newLayout)
    return EntityPair(
      old: oldLayout, new: newLayout, attributes: attributes,
      links: LinkPairing(first.schema, second.schema, source, target, choices, areSame: areSame)
        .pairs(),
      key: try key(attributes, before, after),
      oldCondition: try condition(oldLayout, old, otherwise: newLayout),
      newCondition: try condition(newLayout, new, otherwise: oldLayout))
  }

  private func attributes(
    _ source: Entity?, _ oldLayout: EntityLayout?, _ target: Entity?, _ newLayout: EntityLayout?
  ) throws -> [AttributePair] {
    let before = source.map(old.allAttributes) ?? []
    let after = target.map(new.allAttributes) ?? []
    let sources = choices.sources(
      RenamingMatch(source: before, target: after, areEqual: areSame), in: target)
    let taken = Set(sources.values)
    let pairs = try after.map { attribute in
      try AttributePair(
        name: attribute.name,
        old: try sources[attribute.name].flatMap { before.sortedFind($0) }
          .flatMap { try Self.column($0, oldLayout) },
        new: Self.column(attribute, newLayout))
    }
    let gone = try before.filter { !taken.contains($0.name) }.map {
      AttributePair(name: $0.name, old: try Self.column($0, oldLayout), new: nil)
    }
    return (pairs + gone).filter { $0.old != nil || $0.new != nil }
      .sorted { NameOrder.precedes($0.name, $1.name) }
  }

  private static func column(
    _ attribute: Attribute, _ layout: EntityLayout?
  ) throws -> AttributeColumn? {
    guard let column = try layout?.column(of: attribute) else { return nil }
    return AttributeColumn(name: column.name, storage: AttributeStorage(of: attribute))
  }

  private func key(
    _ attributes: [AttributePair], _ before: String?, _ after: String?
  ) throws -> AttributePair? {
    guard before != nil, after != nil,
      let reference = choices.keys.first(where: { $0.entity == before || $0.entity == after })
    else { return nil }
    let pair = attributes.first { $0.name == reference.property && $0.new != nil }
    guard let pair, pair.old != nil else {
      let names = attributes.filter { $0.old != nil && $0.new != nil }.map(\.name)
      throw Self.unknown(
        "\(reference)", "Both stores must have the attribute by which objects are paired",
        reference.property, among: names, "Name an attribute of both.")
    }
    return pair
  }

  /// The condition as one store can say it; an error only when neither can.
  private func condition(
    _ layout: EntityLayout?, _ model: Model, otherwise other: EntityLayout?
  ) throws -> String? {
    guard let text = choices.condition, let layout,
      choices.entities.contains(where: {
        $0 == layout.name || $0 == other?.name
      })
    else { return nil }
    do {
      return try ConditionSQL(text, layout: layout, model: model).sql
    } catch {
      let otherModel = model == new ? old : new
      guard let other, (try? ConditionSQL(text, layout: other, model: otherModel)) != nil else {
        throw error
      }
      return nil
    }
  }
}

// What is refused.
extension PairSearch {
  private func checkNames() throws {
    let names = (old.entities + new.entities).map(\.name)
    let known = Set(names)
    let asked =
      choices.entities + choices.keys.map(\.entity) + choices.pairs.keys + choices.pairs.values
    for name in asked where !known.contains(name) {
      throw Self.unknown(
        "entity \(name)", "Neither store has it", name, among: names, "Correct the name.")
    }
  }

  private func nothingInCommon() -> Failure {
    Self.failure(
      "\(first.path) and \(second.path)",
      "Their models have no entity in common, neither by name nor by renaming identifier.",
      "Give two stores of one application.")
  }

  /// A name that neither store has, with the nearest one that is there.
  private static func unknown(
    _ subject: String, _ why: String, _ name: String, among names: some Sequence<String>,
    _ remedy: String
  ) -> Failure {
    let nearest = NearestName.suggestion(for: name, among: names)
    return Failure(
      .misuse, what: "cannot pair the stores", subject: subject,
      why: nearest.isEmpty ? why + "." : why + nearest, remedy: remedy)
  }

  static func failure(_ subject: String, _ why: String, _ remedy: String) -> Failure {
    Failure(
      .unusable, what: "cannot pair the stores", subject: subject, why: why, remedy: remedy)
  }
}
