internal import CoreDataStore
internal import SQLite

/// Checks that as many objects came out as the mapping makes of those that went in.
struct CountValidation {
  private let connection: Connection
  private let source: StoreSchema
  private let target: StoreSchema
  private let mappings: [Mapping]
  private let revised: Set<String>

  init(
    _ connection: Connection, from source: Validation.Source, to target: StoreSchema
  ) {
    self.connection = connection
    self.source = source.schema
    self.target = target
    (mappings, revised) = (source.mappings, source.revised)
  }

  /// Adds each entity of the target that has another number of objects.
  ///
  /// What a script makes nobody can foretell: there may be more objects then, and of the entities
  /// that it is given any number. Conditions of a later step are over a store that is not there any
  /// more.
  func run(_ failures: inout FailureList) throws {
    let hasScripts = mappings.contains(where: \.hasScripts)
    for entity in target.entities where !entity.isAbstract && !revised.contains(entity.name) {
      let paths = ObjectPath.all(into: entity.name, mappings[...])
      guard paths.allSatisfy({ !$0.isScripted && $0.conditions != nil }) else { continue }
      let expected = try paths.reduce(0) { try $0 + count($1) }
      let found = try count("main", entity, "1")
      guard hasScripts ? found < expected : found != expected else { continue }
      failures.add(
        entity: entity.name, key: 0, property: "",
        rule: .count(expected: expected, found: found), inSource: false)
    }
  }

  /// How many objects of the source go into a target entity, those left out not counted.
  private func count(_ path: ObjectPath) throws -> Int64 {
    guard let layout = source.entity(named: path.source) else { return 0 }
    let conditions = try (path.conditions ?? []).map {
      try ConditionSQL($0, layout: layout, model: source.model).sql
    }
    return try count(
      "source", layout, ConditionTranslation.joined(conditions[...], by: "AND") ?? "1")
  }

  private func count(
    _ database: String, _ layout: EntityLayout, _ condition: String
  ) throws -> Int64 {
    let table = Identifier.quoted(layout.table, in: database)
    return try connection.integer(
      "SELECT count(*) FROM \(table) AS s WHERE s.Z_ENT = \(layout.number) AND (\(condition))") ?? 0
  }
}
