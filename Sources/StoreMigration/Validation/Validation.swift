package import CoreDataStore
package import SQLite

/// Checks a store against the rules of its model, object by object and link by link.
///
/// The store is only read, and memory does not grow with it.
package final class Validation {
  /// The store that the objects came from.
  package struct Source {
    /// Its path: the snapshot's, which no process writes.
    package let path: String
    package let schema: StoreSchema
    /// How its objects became those of the store: the mappings of all steps, in their order.
    package let mappings: [Mapping]
    /// The entities of the store whose objects were taken out or added afterwards.
    package let revised: Set<String>
    /// What a walk over the source's pages has shown; nil where there was none.
    let walk: StoreMoment.Walk?

    /// A source in all its parts.
    package init(
      path: String, schema: StoreSchema, mappings: [Mapping], revised: Set<String> = [],
      walk: StoreMoment.Walk? = nil
    ) {
      (self.revised, self.walk) = (revised, walk)
      self.path = path
      self.schema = schema
      self.mappings = mappings
    }
  }

  /// What is checked, and how it is reported.
  package struct Choices {
    /// The most failures that are reported one by one.
    package var limit: Int
    /// Whether what stood in the source already is an error, too.
    package var isStrict: Bool
    /// Whether values are reported: the user's data.
    package var showsValues: Bool
    /// What the pipeline file expects.
    package var expectations: [Expectation]
    /// Whether only what Core Data looks for by itself is: values and links that must be there.
    package var looksAtNeedsAlone = false

    /// Choices in all their parts.
    package init(
      limit: Int = 100, isStrict: Bool = false, showsValues: Bool = false,
      expectations: [Expectation] = []
    ) {
      self.limit = limit
      self.isStrict = isStrict
      self.showsValues = showsValues
      self.expectations = expectations
    }
  }

  /// Stops a check that is running, from any thread.
  package var interrupter: Interrupter { connection.interrupter }

  private let schema: StoreSchema
  private let source: Source?
  private let choices: Choices
  private let opened: OpenedStores?
  private let connection: Connection
  private let checks: [ExpectationCheck]

  /// Opens the store, which no other connection has open, and its source; where they stay open for
  /// others, `opened` has them.
  ///
  /// - Throws: ``Failure``, also for an expectation.
  package init(
    store path: String, schema: StoreSchema, source: Source? = nil, choices: Choices = Choices(),
    opened: OpenedStores? = nil
  ) throws {
    self.opened = opened
    self.schema = schema
    self.source = source
    self.choices = choices
    checks = try choices.expectations.map {
      try ExpectationCheck($0, source: source?.schema, target: schema)
    }
    do {
      connection = try (opened ?? OpenedStores()).connection(to: path, from: source?.path)
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Checks everything, then closes the store unless it stays open for others.
  ///
  /// `progress` is called after each entity with its name, how many are done and how many there
  /// are; what it throws ends the check.
  package func run(
    progress: (_ entity: String, _ done: Int, _ total: Int) throws -> Void = { _, _, _ in }
  ) throws -> ValidationResult {
    defer { if opened == nil { try? connection.close() } }
    do {
      return try connection.transaction(.deferred) { try check(progress) }
    } catch let error as SQLiteError {
      throw Self.error(error, connection.path)
    }
  }

  private func check(
    _ progress: (String, Int, Int) throws -> Void
  ) throws -> ValidationResult {
    var failures = FailureList(limit: choices.limit, isStrict: choices.isStrict)
    var unchecked: [String] = []
    let sources = source.map { SourceChecks($0.mappings, from: $0.schema, to: schema) }
    let entities = schema.entities.filter { !$0.isAbstract }
    let rules = try entities.map {
      try RowChecks(of: $0, in: schema, database: "main", alias: "s")
    }
    let asked = rules.map { $0.all.filter(isAsked) }
    let facts = try RowFacts(
      connection, schema, columns: asked.joined().compactMap(\.fact?.column))
    if !choices.looksAtNeedsAlone {
      try StructureValidation(connection, schema, source: source?.schema, sources, facts)
        .run(&failures)
      if let source {
        try CountValidation(connection, from: source, to: schema, facts).run(&failures)
      }
      unchecked += rules.flatMap { $0.unchecked + $0.all.compactMap { sources?.exception($0) } }
    }
    let breakers = RuleBreakers(connection)
    for (place, (layout, asked)) in zip(entities, asked).enumerated() {
      let checks = asked.filter { check in
        sources?.exception(check) == nil && check.fact.map(facts.show(_:)) != true
      }
      try EntityValidation(breakers, layout, sources, values: choices.showsValues)
        .run(checks, &failures)
      try progress(layout.name, place + 1, entities.count)
    }
    return failures.result(
      unchecked: unchecked, expectations: try checks.map { try $0.run(on: connection) })
  }

  private func isAsked(_ check: RowCheck) -> Bool {
    !choices.looksAtNeedsAlone || check.rule.need(isRelationship: check.isRelationship) != nil
  }

  private static func error(_ error: SQLiteError, _ path: String) -> Failure {
    Failure(error, what: "cannot validate the store", subject: path)
  }
}

/// Checks that as many objects came out as the mapping makes of those that went in.
struct CountValidation {
  private let connection: Connection
  private let source: StoreSchema
  private let target: StoreSchema
  private let mappings: [Mapping]
  private let revised: Set<String>
  private let walk: StoreMoment.Walk?
  private let facts: RowFacts

  init(
    _ connection: Connection, from source: Validation.Source, to target: StoreSchema,
    _ facts: RowFacts
  ) {
    self.facts = facts
    self.connection = connection
    self.source = source.schema
    self.target = target
    (mappings, revised, walk) = (source.mappings, source.revised, source.walk)
  }

  /// Adds each entity of the target that has another number of objects.
  ///
  /// What a script makes is not known beforehand: there may be more objects then, and of the
  /// entities that it is given any number. Conditions of a later step are over a store that is not
  /// there any more.
  func run(_ failures: inout FailureList) throws {
    let hasScripts = mappings.contains(where: \.hasScripts)
    let before = walk == nil ? try RowFacts(connection, source, in: "source") : nil
    for entity in target.entities where !entity.isAbstract && !revised.contains(entity.name) {
      let paths = ObjectPath.all(into: entity.name, mappings[...])
      guard paths.allSatisfy({ !$0.isScripted && $0.conditions != nil }) else { continue }
      let expected = try paths.reduce(0) { try $0 + count($1, before) }
      let found = try facts.count(of: entity) ?? count("main", entity, "1")
      guard hasScripts ? found < expected : found != expected else { continue }
      failures.add(
        entity: entity.name, key: 0, property: "",
        rule: .count(expected: expected, found: found), inSource: false)
    }
  }

  /// How many objects of the source go into a target entity, those left out not counted.
  private func count(_ path: ObjectPath, _ facts: RowFacts?) throws -> Int64 {
    guard let layout = source.entity(named: path.source) else { return 0 }
    let known =
      walk?.count(of: layout.number, in: layout.table).map(Int64.init)
      ?? facts?.count(of: layout)
    if path.conditions?.isEmpty == true, let known { return known }
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
