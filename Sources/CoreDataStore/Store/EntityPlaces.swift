/// Where the objects of each entity are in one store.
public struct EntityPlaces: Sendable, Hashable {
  /// The place of one entity.
  public struct Place: Sendable, Hashable {
    /// The entity's name, as the store's model has it.
    public let name: String
    /// Its number in this store, Z_ENT.
    public let number: Int64
    /// The entity it inherits from.
    public let parent: String?
    /// The number of that entity; 0 for none.
    public let parentNumber: Int64
    /// The table it shares with its family.
    public let table: String
  }

  /// All entities, by number.
  public let all: [Place]
  /// What the model and Z_PRIMARYKEY do not agree on.
  public let warnings: [StoreWarning]

  /// The tables, each once, in the order of their first entity.
  public var tables: [String] {
    var seen: Set<String> = []
    return all.map(\.table).filter { seen.insert($0).inserted }
  }

  /// The entities whose objects are in a table.
  public func entities(in table: String) -> [Place] { all.filter { $0.table == table } }
}

extension EntityPlaces {
  /// The places of a model's entities, whose numbers are checked against the store's.
  ///
  /// Core Data leaves the old name of a renamed entity in Z_PRIMARYKEY: so an entity whose name is
  /// not there has the number that the model gives it, and the old name is a warning.
  ///
  /// - Throws: ``StoreError`` when an entity has no number.
  init(_ schema: StoreSchema, _ keys: PrimaryKeys, path: String) throws {
    let names = Set(schema.entities.map(\.name))
    var numbers: [String: Int64] = [:]
    var warnings: [StoreWarning] = []
    for entity in schema.entities {
      let number = Int64(entity.number)
      if let entry = keys.entry(named: entity.name) {
        numbers[entity.name] = entry.number
        guard entry.number != number else { continue }
        warnings.append(
          StoreWarning(
            "entity \(entity.name)", "Its number is \(entry.number), not the model's \(number)."))
        continue
      }
      guard let entry = keys.entry(number: number), !names.contains(entry.name) else {
        throw Self.unnumbered(entity.name, path)
      }
      numbers[entity.name] = number
      warnings.append(
        StoreWarning(
          "entity \(entity.name)", "Z_PRIMARYKEY still calls it \(entry.name), its old name."))
    }
    let places = schema.entities.map { entity in
      let parent = schema.model.entity(named: entity.name)?.parent
      return Place(
        name: entity.name, number: numbers[entity.name] ?? 0, parent: parent,
        parentNumber: parent.flatMap { numbers[$0] } ?? 0, table: entity.table)
    }
    all = places.sorted { $0.number < $1.number }
    self.warnings = warnings + Self.strangers(keys, all) + Self.differences(keys, all)
  }

  /// The places that Z_PRIMARYKEY alone tells, for a store whose model nobody has.
  init(_ keys: PrimaryKeys, path: String) throws {
    let entries = keys.entries.filter { $0.number < PrimaryKeys.firstOwnNumber }
    let byNumber = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
    all = try entries.map { entry in
      let root = try Self.root(of: entry, byNumber, path)
      return Place(
        name: entry.name, number: entry.number, parent: byNumber[entry.parent]?.name,
        parentNumber: entry.parent, table: "Z\(root.name.uppercased())")
    }
    warnings = []
  }

  private static func root(
    of entry: PrimaryKeys.Entry, _ entries: [Int64: PrimaryKeys.Entry], _ path: String
  ) throws -> PrimaryKeys.Entry {
    var root = entry
    var seen: Set<Int64> = []
    while root.parent != 0 {
      guard seen.insert(root.number).inserted, let parent = entries[root.parent] else {
        throw StoreError(
          .unusable, what: "cannot read the entities' numbers",
          subject: "\(path), entity \(entry.name)",
          why: "Its parents in Z_PRIMARYKEY do not lead to an entity without a parent.",
          remedy: StoreError.restore)
      }
      root = parent
    }
    return root
  }

  private static func unnumbered(_ entity: String, _ path: String) -> StoreError {
    StoreError(
      .unusable, what: "cannot read the entities' numbers", subject: "\(path), entity \(entity)",
      why: "The model has this entity, and Z_PRIMARYKEY has no number for it.",
      remedy: StoreError.restore)
  }

  private static func strangers(_ keys: PrimaryKeys, _ places: [Place]) -> [StoreWarning] {
    let numbers = Set(places.map(\.number))
    return keys.entries
      .filter { $0.number < PrimaryKeys.firstOwnNumber && !numbers.contains($0.number) }
      .map { StoreWarning("Z_PRIMARYKEY", "Its entity \($0.name) is not in the model.") }
  }

  private static func differences(_ keys: PrimaryKeys, _ places: [Place]) -> [StoreWarning] {
    places.compactMap { place in
      guard let entry = keys.entry(number: place.number), entry.parent != place.parentNumber else {
        return nil
      }
      return StoreWarning(
        "entity \(place.name)",
        "Z_PRIMARYKEY gives it the parent \(entry.parent), the model \(place.parentNumber).")
    }
  }
}
