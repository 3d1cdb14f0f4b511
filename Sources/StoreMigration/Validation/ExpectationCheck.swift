package import CoreDataStore
internal import SQLite

/// An expectation whose texts have been understood.
package struct ExpectationCheck: Sendable {
  package let expectation: Expectation
  private let source: ExpectationQuery?
  private let destination: ExpectationQuery?

  /// Understands an expectation, for which no store is needed.
  ///
  /// - Throws: ``Failure`` with the line of the expectation.
  package init(_ expectation: Expectation, source: StoreSchema?, target: StoreSchema) throws {
    // What is reported later is the count that this version is asked for.
    var asked = expectation
    do {
      try Self.checkParts(of: expectation)
      asked.source = try Self.text(of: expectation, in: source)
      self.source = try asked.source.map { text in
        guard let source else { throw Self.noSource(expectation) }
        return try ExpectationQuery(text, schema: source)
      }
      self.expectation = asked
      destination = try expectation.destination.map { try ExpectationQuery($0, schema: target) }
    } catch var error as Failure where error.kind == .misuse {
      error.line = expectation.line
      throw error
    }
  }

  /// What is asked of a source of this version.
  private static func text(
    of expectation: Expectation, in source: StoreSchema?
  ) throws -> String? {
    guard !expectation.sources.isEmpty else { return expectation.source }
    guard let source else { throw noSource(expectation) }
    let name = source.model.name
    if let text = expectation.sources[name] { return text }
    throw Failure(
      .misuse, what: "cannot use the expectation", subject: "\"\(expectation.name)\"",
      why: "It says no count for stores of \"\(name)\".",
      remedy: "Add one to its source: [\"\(name)\"] = \"count(...)\".")
  }

  private static func checkParts(of expectation: Expectation) throws {
    let first = expectation.source ?? expectation.sources.values.first
    let parts = [first, expectation.destination].compactMap(\.self).count
    guard parts == 0 || (parts == 1 && expectation.equals == nil) else { return }
    throw Failure(
      .misuse, what: "cannot use the expectation", subject: "\"\(expectation.name)\"",
      why: "There is nothing to compare.",
      remedy: "Give two of source, destination and equals, not equals alone.")
  }

  private static func noSource(_ expectation: Expectation) -> Failure {
    Failure(
      .misuse, what: "cannot use the expectation", subject: "\"\(expectation.name)\"",
      why: "It asks the source, and there is none.",
      remedy: "Leave the source out, and say what the number equals.")
  }

  /// A number of one store: "count(Item where image != nil)".
  ///
  /// - Throws: ``Failure`` when that cannot be understood.
  package static func number(
    _ text: String, in path: String, _ schema: StoreSchema
  ) throws -> Int64 {
    let query = try ExpectationQuery(text, schema: schema)
    do {
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      return try query.number(in: "main", of: connection)
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot count the objects", subject: path)
    }
  }

  /// Asks the stores: the new one is `main` of the connection, the old one is attached as `source`.
  func run(on connection: Connection) throws -> ExpectationOutcome {
    ExpectationOutcome(
      expectation: expectation,
      source: try source?.number(in: "source", of: connection),
      destination: try destination?.number(in: "main", of: connection))
  }
}
