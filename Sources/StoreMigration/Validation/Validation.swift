package import CoreDataStore
package import SQLite

/// Holds a store against the rules of its model, object by object and link by link.
///
/// The store is only read, and memory does not grow with it.
package final class Validation {
  /// The store that the objects came from.
  package struct Source {
    /// Its path: the snapshot's, which nobody writes.
    package let path: String
    /// Its schema.
    package let schema: StoreSchema
    /// How its objects became those of the store: the mappings of all steps, in their order.
    package let mappings: [Mapping]
    /// The entities of the store whose objects were taken out or added afterwards.
    package let revised: Set<String>

    /// A source in all its parts.
    package init(
      path: String, schema: StoreSchema, mappings: [Mapping], revised: Set<String> = []
    ) {
      self.revised = revised
      self.path = path
      self.schema = schema
      self.mappings = mappings
    }
  }

  /// What is checked, and how it is told.
  package struct Choices {
    /// The most failures that are told one by one.
    package var limit: Int
    /// Whether what stood in the source already is an error, too.
    package var isStrict: Bool
    /// Whether values are told: the user's data.
    package var showsValues: Bool
    /// What the pipeline file expects.
    package var expectations: [Expectation]

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
  private let connection: Connection
  private let checks: [ExpectationCheck]

  /// Opens the store, closed by everybody else, and its source.
  ///
  /// - Throws: ``StoreError``; ``ConditionError`` for an expectation.
  package init(
    store path: String, schema: StoreSchema, source: Source? = nil, choices: Choices = Choices()
  ) throws {
    self.schema = schema
    self.source = source
    self.choices = choices
    checks = try choices.expectations.map {
      try ExpectationCheck($0, source: source?.schema, target: schema)
    }
    do {
      connection = try Connection(path: path, mode: .foreign)
      if let source { try connection.attach(source.path, as: "source", .readOnly) }
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Checks everything, then closes the store.
  ///
  /// `progress` is called after each entity with its name, how many are done and how many there
  /// are; what it throws ends the check.
  package func run(
    progress: (_ entity: String, _ done: Int, _ total: Int) throws -> Void = { _, _, _ in }
  ) throws -> ValidationResult {
    defer { try? connection.close() }
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
    try StructureValidation(connection, schema, source: source?.schema, sources).run(&failures)
    if let source {
      try CountValidation(connection, from: source, to: schema).run(&failures)
    }
    let entities = schema.entities.filter { !$0.isAbstract }
    for (place, layout) in entities.enumerated() {
      let rules = RowChecks(of: layout, in: schema, database: "main", alias: "s")
      unchecked += rules.unchecked
      try EntityValidation(connection, layout, sources, values: choices.showsValues)
        .run(rules.all, &failures)
      try progress(layout.name, place + 1, entities.count)
    }
    return failures.result(
      unchecked: unchecked, expectations: try checks.map { try $0.run(on: connection) })
  }

  private static func error(_ error: SQLiteError, _ path: String) -> StoreError {
    StoreError(error, what: "cannot validate the store", subject: path)
  }
}
