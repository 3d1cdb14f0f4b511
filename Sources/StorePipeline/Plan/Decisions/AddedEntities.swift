internal import CoreDataStore
internal import StoreMigration

extension LikelyRenamings {
  /// How much one thing is like another, and what one says of it.
  struct Likeness {
    /// More would be no choice: a model may have a hundred entities that are alike.
    static let most = 3
    static let ofLinks = Likeness(100, "the same destination, a similar name")

    let score: Int
    let note: String

    init(_ score: Int, _ note: String) { (self.score, self.note) = (score, note) }
  }

  /// Entities of the target, which one of the source may have become: the new ones, or those that
  /// have objects already.
  struct AddedEntities {
    private let entities: [(entity: Entity, name: PlainName, group: Int)]
    /// Their groups, and what rules most of them out at one look at their names.
    private let looks: [(outline: PlainName.Outline, group: Int)]
    /// Their places, by name.
    private let places: [String: Int]
    /// Entities with the same properties, and whether they are abstract.
    private var groups: [(names: Set<String>, isAbstract: Bool, members: [Int])] = []
    /// The groups that have a property.
    private var owners: [String: [Int]] = [:]

    init(_ added: [Entity], _ target: Model) {
      var known: [Set<String>: [Bool: Int]] = [:]
      var entities: [(Entity, PlainName, Int)] = []
      for (place, entity) in added.enumerated() {
        let names = target.propertyNames(of: entity)
        let group = known[names]?[entity.isAbstract] ?? groups.count
        if group == groups.count {
          known[names, default: [:]][entity.isAbstract] = group
          groups.append((names, entity.isAbstract, []))
          for name in names { owners[name, default: []].append(group) }
        }
        groups[group].members.append(place)
        entities.append((entity, PlainName(entity.name), group))
      }
      self.entities = entities
      looks = entities.map { ($0.1.outline, $0.2) }
      places = Dictionary(added.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// What an entity may be called now: one with a similar name, or with most of its properties.
    func answers(to old: Entity, _ source: Model) -> [StepNeeds.Answer] {
      let (names, key) = (source.propertyNames(of: old), PlainName(old.name))
      let common = common(names)
      func share(_ group: Int) -> Int {
        let both = common[group] ?? 0
        let all = names.count + groups[group].names.count - both
        return all == 0 ? 0 : 100 * both / all
      }
      func isAlike(_ group: Int) -> Bool {
        let both = common[group] ?? 0
        // One name in common, such as "name", says little of an entity that has more.
        return share(group) >= 50 || both > 1 && 2 * both > names.count
      }
      let shares = Dictionary(uniqueKeysWithValues: common.keys.map { ($0, share($0)) })
      let near = near(to: key, isAbstract: old.isAbstract, shares)
      let alike = common.keys.filter(isAlike)
        // Those of a group are equally like it: the first are as good as any.
        .flatMap { groups[$0].members.lazy.filter { !near.contains($0) }.prefix(Likeness.most) }
      return (near + alike).sorted().compactMap { place -> (String, Likeness)? in
        let (new, name, group) = entities[place]
        guard new.isAbstract == old.isAbstract else { return nil }
        let (isNear, both) = (name.isNear(key), common[group] ?? 0)
        let reasons =
          (isNear ? ["a similar name"] : [])
          + (both > 0 ? ["\(both) of \(names.count) properties have the same name"] : [])
        let score = (isNear ? 100 : 0) + share(group)
        return (
          SnippetText.rename(old.name, to: new.name),
          Likeness(score, reasons.joined(separator: ", "))
        )
      }.answers
    }

    /// Whose objects those of an entity may join: what it inherits from, by the names of the
    /// target, or what has half of its properties.
    func merges(
      of old: Entity, _ source: Model, ancestors: Set<String>
    ) -> [StepNeeds.Answer] {
      let names = source.propertyNames(of: old)
      let common = common(names)
      let alike = common.filter { $0.value > 1 && 2 * $0.value >= names.count }.keys
        .flatMap { groups[$0].members.prefix(Likeness.most) }
      let likely = Set(alike + ancestors.compactMap { places[$0] }).sorted()
      return likely.map { place -> (String, Likeness) in
        let (new, _, group) = entities[place]
        let (both, isAncestor) = (common[group] ?? 0, ancestors.contains(new.name))
        let note =
          isAncestor
          ? "it inherited from \(new.name)"
          : "\(both) of \(names.count) properties have the same name"
        return (SnippetText.map(new.name, from: old.name), Likeness(isAncestor ? 1000 : both, note))
      }.answers
    }

    /// The likeliest of those with a similar name, by the share of properties that groups have.
    ///
    /// The names of a thousand may all be alike: no more of them are compared than are a choice.
    private func near(to key: PlainName, isAbstract: Bool, _ shares: [Int: Int]) -> [Int] {
      func isNear(_ place: Int) -> Bool {
        looks[place].outline.mayBeNear(key.outline)
          && groups[looks[place].group].isAbstract == isAbstract && entities[place].name.isNear(key)
      }
      var found: [Int] = []
      let levels = Dictionary(grouping: shares.keys) { shares[$0] ?? 0 }
      for level in levels.sorted(by: { $0.key > $1.key }) where level.key > 0 {
        let members = level.value.flatMap { groups[$0].members }.sorted()
        for place in members where found.count < Likeness.most && isNear(place) {
          found.append(place)
        }
      }
      for place in looks.indices where found.count < Likeness.most && isNear(place) {
        if shares[looks[place].group, default: 0] == 0 { found.append(place) }
      }
      return found
    }

    /// How many of these properties the groups have.
    private func common(_ names: Set<String>) -> [Int: Int] {
      var common: [Int: Int] = [:]
      for name in names { for group in owners[name] ?? [] { common[group, default: 0] += 1 } }
      return common
    }
  }
}

extension [(String, LikelyRenamings.Likeness)] {
  /// The rules, the likeliest first, as far as they are a choice.
  var answers: [StepNeeds.Answer] {
    sorted { $0.1.score > $1.1.score }.prefix(LikelyRenamings.Likeness.most)
      .map { .init(.rule, $0.0, $0.1.note) }
  }
}

extension Model {
  /// The names of all properties of an entity that are stored.
  fileprivate func propertyNames(of entity: Entity) -> Set<String> {
    Set(allAttributes(of: entity).map(\.name)).union(
      allRelationships(of: entity).filter { !$0.isTransient }.map(\.name))
  }
}
