internal import CoreDataStore
package import StoreMigration

/// Puts changes of one kind together while they come, without keeping them.
struct ChangeGroups {
  /// With more different values than this a change is reported without them.
  static let mostExact = 12
  /// How many different values of one change are tried, since those that come often may come late;
  /// and of all changes.
  private static let mostTried = (ofOne: 4_000, ofAll: 40_000)

  private struct Key: Hashable {
    let entity: String
    let change: ChangedObject.Change
    let words: [String]
  }

  private struct Entry {
    let key: Key
    let attributes: [String]
    var count = 0
    /// The group of the same change without values; itself where there is none.
    var general: Int
  }

  private var entries: [Entry] = []
  private var places: [Key: Int] = [:]
  private var variants: [Int: Int] = [:]

  /// The provisional number of the group that a change belongs to, which is counted.
  mutating func add(_ object: ChangedObject, _ signature: ChangeSignature) -> Int {
    let names = object.values.map(\.attribute) + object.links.map(\.relationship)
    let attributes = object.change == .changed ? names : []
    let general = place(object, signature.general, attributes, of: nil)
    var group = general
    if signature.exact != signature.general {
      let key = Key(entity: object.entity, change: object.change, words: signature.exact)
      if places[key] != nil || mayTry(general) {
        if places[key] == nil { variants[general, default: 0] += 1 }
        group = place(object, signature.exact, attributes, of: general)
      }
    }
    entries[group].count += 1
    return group
  }

  /// Counts a change that belongs to the group of one that was added before.
  mutating func add(oneMoreOf group: Int) { entries[group].count += 1 }

  private func mayTry(_ general: Int) -> Bool {
    variants[general, default: 0] < Self.mostTried.ofOne && entries.count < Self.mostTried.ofAll
  }

  private mutating func place(
    _ object: ChangedObject, _ words: [String], _ attributes: [String], of general: Int?
  ) -> Int {
    let key = Key(entity: object.entity, change: object.change, words: words)
    if let place = places[key] { return place }
    entries.append(Entry(key: key, attributes: attributes, general: general ?? entries.count))
    places[key] = entries.count - 1
    return entries.count - 1
  }

  /// The groups as they are reported, and the number of the one that each provisional one went
  /// into.
  func finished() -> (groups: [ChangeGroup], numbers: [Int]) {
    let kept = keptEntries()
    var counts = entries.map(\.count)
    for (place, entry) in entries.enumerated() where !kept.contains(place) && entry.count > 0 {
      if entry.general != place { counts[entry.general] += entry.count }
    }
    let listed = entries.indices.filter { place in
      counts[place] > 0 && (kept.contains(place) || entries[place].general == place)
    }.sorted { left, right in
      let (a, b) = (entries[left].key, entries[right].key)
      if a.entity != b.entity { return NameOrder.precedes(a.entity, b.entity) }
      if a.change != b.change { return a.change.rank < b.change.rank }
      return (counts[right], left) < (counts[left], right)
    }
    var numbers = Array(repeating: 0, count: entries.count)
    for (number, place) in listed.enumerated() { numbers[place] = number }
    let isListed = Set(listed)
    for (place, entry) in entries.enumerated() where !isListed.contains(place) {
      numbers[place] = numbers[entry.general]
    }
    let groups = listed.map { place in
      let entry = entries[place]
      return ChangeGroup(
        entity: entry.key.entity, change: entry.key.change,
        words: entry.key.words.joined(separator: "; "), attributes: entry.attributes,
        count: counts[place])
    }
    return (groups, numbers)
  }

  /// The groups with values that are worth a line of their own: the largest of each change.
  private func keptEntries() -> Set<Int> {
    let exact = entries.indices.filter { entries[$0].general != $0 }
    var kept: Set<Int> = []
    for (_, places) in Dictionary(grouping: exact, by: { entries[$0].general }) {
      let ordered = places.sorted { (entries[$1].count, $0) < (entries[$0].count, $1) }
      let few = places.count <= 3
      kept.formUnion(
        ordered.filter { few || entries[$0].count > 1 }.prefix(Self.mostExact))
    }
    return kept
  }
}

/// Objects of one entity to which the same happened.
package struct ChangeGroup: Sendable, Hashable {
  package let entity: String
  package let change: ChangedObject.Change
  /// What happened, in words: "title trimmed".
  package let words: String
  /// The attributes and relationships it happened to.
  package let attributes: [String]
  /// How many objects there are.
  package let count: Int
}

extension ChangedObject.Change {
  /// The order in which changes are reported.
  var rank: Int {
    switch self {
    case .changed: 0
    case .removed: 1
    case .added: 2
    }
  }

  /// One character that distinguishes the change without colour.
  package var symbol: String { String(mark) }

  var mark: Character {
    switch self {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }
}
