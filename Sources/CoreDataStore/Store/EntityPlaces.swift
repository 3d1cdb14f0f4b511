/// Where the objects of each entity are in one store.
package struct EntityPlaces: Sendable, Hashable {
  package struct Place: Sendable, Hashable {
    /// The entity's name, as the store's model has it.
    package let name: String
    /// Its number in this store, Z_ENT.
    package let number: Int64
    package let parent: String?
    /// The number of that entity; 0 for none.
    package let parentNumber: Int64
    /// The table it shares with its family.
    package let table: String
  }

  package let all: [Place]
  /// The tables, each once, in the order of their first entity.
  package let tables: [String]
  /// What the model and Z_PRIMARYKEY do not agree on.
  package let warnings: [StoreWarning]

  private let members: [String: [Place]]

  private init(_ all: [Place], warnings: [StoreWarning]) {
    var seen: Set<String> = []
    self.all = all
    self.warnings = warnings
    tables = all.map(\.table).filter { seen.insert($0).inserted }
    members = Dictionary(grouping: all, by: \.table)
  }

  /// The entities whose objects are in a table.
  package func entities(in table: String) -> [Place] { members[table] ?? [] }
}

extension EntityPlaces {
  /// The places of a model's entities, whose numbers are checked against the store's.
  ///
  /// The model's numbers count: Core Data finds objects by those that it gives the entities. It
  /// leaves the old name of a renamed entity in Z_PRIMARYKEY: an entity whose name is not there is
  /// found by its number, and the old name is a warning.
  ///
  /// - Throws: ``Failure`` when an entity has no number.
  init(_ schema: StoreSchema, _ keys: PrimaryKeys, path: String) throws {
    let names = Set(schema.entities.map(\.name))
    var warnings: [StoreWarning] = []
    for entity in schema.entities {
      let number = Int64(entity.number)
      if let entry = keys.entry(named: entity.name) {
        guard entry.number != number else { continue }
        warnings.append(
          StoreWarning(
            "entity \(entity.name)",
            "Z_PRIMARYKEY gives it the number \(entry.number); its objects are those of the "
              + "model's number, \(number)."))
        continue
      }
      guard let entry = keys.entry(number: number), !names.contains(entry.name) else {
        throw Self.unnumbered(entity.name, path)
      }
      warnings.append(
        StoreWarning(
          "entity \(entity.name)", "Z_PRIMARYKEY still calls it \(entry.name), its old name."))
    }
    let places = schema.entities.map { entity in
      let parent = schema.model.entity(named: entity.name)?.parent
      return Place(
        name: entity.name, number: Int64(entity.number), parent: parent,
        parentNumber: Int64(entity.parentNumber), table: entity.table)
    }
    let all = places.sorted { $0.number < $1.number }
    self.init(
      all, warnings: warnings + Self.strangers(keys, all) + Self.differences(keys, all))
  }

  /// The places that Z_PRIMARYKEY alone shows, for a store whose model is missing.
  init(_ keys: PrimaryKeys, path: String) throws {
    let entries = keys.entries.filter { $0.number < PrimaryKeys.firstOwnNumber }
    var tables: [Int64: String] = [:]
    let places = try entries.map { entry in
      Place(
        name: entry.name, number: entry.number,
        parent: entry.parent == 0 ? nil : keys.entry(number: entry.parent)?.name,
        parentNumber: entry.parent, table: try Self.table(of: entry, keys, &tables, path))
    }
    self.init(places, warnings: [])
  }

  /// The table of an entity's root; each line of parents is walked once.
  private static func table(
    of entry: PrimaryKeys.Entry, _ keys: PrimaryKeys, _ tables: inout [Int64: String],
    _ path: String
  ) throws -> String {
    var line: Set<Int64> = []
    var next = entry
    while tables[next.number] == nil, next.parent != 0 {
      guard line.insert(next.number).inserted, let parent = keys.entry(number: next.parent),
        parent.number < PrimaryKeys.firstOwnNumber
      else { throw rootless(entry.name, path) }
      next = parent
    }
    let table = tables[next.number] ?? "Z\(next.name.uppercased())"
    for number in line.union([next.number]) { tables[number] = table }
    return table
  }

  private static func rootless(_ entity: String, _ path: String) -> Failure {
    Failure(
      .unusable, what: "cannot read the entities' numbers", subject: "\(path), entity \(entity)",
      why: "Its parents in Z_PRIMARYKEY do not lead to an entity without a parent.",
      remedy: Failure.restore)
  }

  private static func unnumbered(_ entity: String, _ path: String) -> Failure {
    Failure(
      .unusable, what: "cannot read the entities' numbers", subject: "\(path), entity \(entity)",
      why: "The model has this entity, and Z_PRIMARYKEY has no number for it.",
      remedy: Failure.restore)
  }

  private static func strangers(_ keys: PrimaryKeys, _ places: [Place]) -> [StoreWarning] {
    let numbers = Set(places.map(\.number))
    let names = Set(places.map(\.name))
    return keys.entries
      .filter { $0.number < PrimaryKeys.firstOwnNumber }
      .filter { !numbers.contains($0.number) && !names.contains($0.name) }
      .map { StoreWarning("Z_PRIMARYKEY", "Its entity \($0.name) is not in the model.") }
  }

  private static func differences(_ keys: PrimaryKeys, _ places: [Place]) -> [StoreWarning] {
    func entry(_ name: String, _ number: Int64) -> PrimaryKeys.Entry? {
      keys.entry(named: name) ?? keys.entry(number: number)
    }
    return places.compactMap { place in
      let parent = place.parent.flatMap { entry($0, place.parentNumber) }?.number ?? 0
      guard let entry = entry(place.name, place.number), entry.parent != parent else { return nil }
      return StoreWarning(
        "entity \(place.name)",
        "Z_PRIMARYKEY gives it the parent \(entry.parent), the model \(place.parentNumber).")
    }
  }
}
