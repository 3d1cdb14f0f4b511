internal import CoreDataStore
internal import StoreMigration

// Values behind relationships to one, which have moved to an object nearer by.
extension StepNeeds {
  /// A new attribute that may take a value at the end of such a way.
  private struct Fetched {
    /// The entity of the source whose script fetches it.
    let entity: String
    let value: Value
    /// What has no place any more, as a decision names it.
    let lost: String
  }

  /// An attribute that has no place, and what a decision calls that.
  private typealias Lost = (attribute: Attribute, name: String)

  /// More new attributes of a type would be no choice.
  private static let mostNew = 4 * LikelyRenamings.Likeness.most

  /// Offers functions that fetch what has no place where it was.
  mutating func settleDistant() {
    var lost: [String: [Lost]] = [:]
    let found = mapping.objects.filter { !$0.isAbstract }.flatMap { fetched(by: $0, &lost) }
    for (lost, all) in Dictionary(grouping: found, by: \.lost).sorted(by: { $0.key < $1.key }) {
      let groups = Dictionary(grouping: all, by: \.entity).sorted { $0.key < $1.key }
      for (entity, group) in groups {
        let text = group.map(\.value.function).joined(separator: ", ")
        let answer = Answer(.script, text, "in the script of \(entity); \(lost) itself goes")
        let isChosen = answers[lost].map { $0.kind == .script && $0.text == text } ?? false
        if isChosen { add(Rule(text: SnippetText.drop(lost), why: "Your answer.")) }
        for var value in group.map(\.value) {
          let function = value.function
          let isOwn = answers.values.contains { $0.kind == .script && $0.text == function }
          value.isOffered = !isChosen && !isOwn
          add(value, to: entity)
          offer(Answer(.script, function, "in the script of \(entity)"), value, to: entity)
        }
        offer(answer, on: lost)
      }
    }
  }

  /// Puts an answer before the others of a decision.
  private mutating func offer(_ answer: Answer, on name: String) {
    for (place, known) in decisions.enumerated() where known.name == name && !known.isUnique {
      decisions[place] = Decision(
        step: known.step, name: name, why: known.why, answers: [answer] + known.answers)
    }
  }

  /// The same for the attribute of the target, where it must have a value.
  private mutating func offer(_ answer: Answer, _ value: Value, to entity: String) {
    guard let object = mapping.objects(from: entity), let new = target.entity(named: object.target),
      let owner = target.attribute(named: value.attribute.name, of: new)?.declaredBy.name
    else { return }
    offer(answer, on: "\(owner).\(value.attribute.name)")
  }

  /// What new attributes of an object may take from objects that one or two links lead to.
  ///
  /// Many ways may lead to one entity: what it has lost, and which names are alike, is found once.
  private func fetched(by object: ObjectMapping, _ lost: inout [String: [Lost]]) -> [Fetched] {
    let new = Dictionary(grouping: likely.unlike(of: object), by: \.type)
      .filter { $0.value.count <= Self.mostNew }
    guard !new.isEmpty, let entity = source.entity(named: object.source) else { return [] }
    let ways = links(from: entity, [])
    let farther = ways.flatMap { way in
      source.entity(named: way.destination).map { links(from: $0, way.path) } ?? []
    }
    var alike: [String: [(old: Lost, place: Attribute)]] = [:]
    return (ways + farther).flatMap { way in
      let end = way.destination
      if alike[end] == nil {
        let gone = lost[end] ?? self.lost(at: end)
        lost[end] = gone
        alike[end] = gone.flatMap { old in
          (new[old.attribute.type] ?? []).lazy
            .filter { hasCommonWord($0.name, old.attribute.name) }.map { (old, $0) }
        }
      }
      return (alike[end] ?? []).compactMap { fetch($0.old, way, $0.place, object) }
    }
  }

  private func hasCommonWord(_ name: String, _ other: String) -> Bool {
    likely.name(name).common(with: likely.name(other)) > 0
  }

  /// The relationships to one of an entity, each behind those of a path.
  private func links(
    from entity: Entity, _ path: [String]
  ) -> [(path: [String], destination: String)] {
    source.allRelationships(of: entity).filter { !$0.isToMany && !$0.isTransient }
      .map { (path + [$0.name], $0.destination) }
  }

  private func lost(at entity: String) -> [Lost] {
    let attributes = source.entity(named: entity).map(source.allAttributes) ?? []
    guard let object = mapping.objects(from: entity) else {
      return attributes.map { ($0, entity) }
    }
    return attributes.filter {
      if case .dropped? = object.fate(of: $0.name) { true } else { false }
    }.map { ($0, "\(entity).\($0.name)") }
  }

  /// Whether a name says what is at the end of a path: "cityName" or "name" is that of
  /// `gym.city.name`, and "gymName" is not.
  private func names(_ name: String, _ path: [String]) -> Bool {
    let (new, end) = (likely.name(name), likely.name(path.last ?? ""))
    guard new.common(with: end) > 0, !new.isMade(of: end), let link = path.dropLast().last else {
      return new.isMade(of: end)
    }
    return new.isMade(of: PlainName(path.joined(separator: "_")))
      && new.common(with: likely.name(link)) > 0
  }

  private func fetch(
    _ old: Lost, _ way: (path: [String], destination: String), _ place: Attribute,
    _ object: ObjectMapping
  ) -> Fetched? {
    let path = way.path + [old.attribute.name]
    guard old.attribute.isStored, names(place.name, path),
      let steps = MappingPath(path.joined(separator: "."), of: object.source, in: source)?.value,
      let rest = place.rest
    else { return nil }
    let text = path.joined(separator: ".")
    let value = Value(
      attribute: place, parameters: [steps.parameter],
      why: "It may take what \(text) held, which has no other place.",
      body: Self.body(steps.text, or: place.isOptional ? nil : rest), isOffered: true)
    return Fetched(entity: object.source, value: value, lost: old.name)
  }

  /// What gives back a value, or another one where there is none; false is a value.
  private static func body(_ text: String, or rest: String?) -> String {
    guard rest == "true" else { return text + (rest.map { " or \($0)" } ?? "") }
    let value = text.dropFirst("return ".count)
    return "local value = \(value) if value == nil then return true end return value"
  }
}
