package import CoreDataStore
internal import SQLite

/// A number of a store: `count(Item where image != nil)` or `sum(Item.amount where done = YES)`.
///
/// Objects of entities that inherit from the one that is named are meant, too.
package struct ExpectationQuery: Sendable, Hashable {
  private let table: String
  private let selection: String
  private let condition: String

  /// Reads the text; what it names must be in the schema.
  ///
  /// - Throws: ``Failure``.
  package init(_ text: String, schema: StoreSchema) throws {
    do {
      let parts = try Self.parts(of: text)
      guard let layout = schema.entity(named: parts.entity) else {
        throw Self.unknown(parts.entity, schema)
      }
      table = layout.table
      selection = try Self.selection(parts, layout, schema.model)
      let translation = ConditionTranslation(layout: layout, model: schema.model)
      let asked = try parts.condition.map {
        try translation.sql(PredicateParser.predicate($0))
      }
      let numbers = "\(layout.family.lowerBound) AND \(layout.family.upperBound)"
      condition = "s.Z_ENT BETWEEN \(numbers) AND (\(asked ?? "1"))"
    } catch let fault as ConditionFault {
      throw Failure(
        .misuse, what: "cannot use the expectation", subject: "\"\(text)\"", why: fault.why,
        remedy: fault.remedy)
    }
  }

  /// The number, in a store that the connection has under this name.
  func number(in database: String, of connection: Connection) throws -> Int64 {
    let table = Identifier.quoted(table, in: database)
    let sql = "SELECT \(selection) FROM \(table) AS s WHERE \(condition)"
    do {
      return try connection.integer(sql) ?? 0
    } catch {
      throw Failure(error, what: "cannot check an expectation", subject: connection.path)
    }
  }
}

// The text.
extension ExpectationQuery {
  private struct Parts {
    var isSum: Bool
    var entity: String
    var attribute: String?
    var condition: String?
  }

  private static let remedy =
    "Write count(Entity where condition) or sum(Entity.attribute where condition)."

  private static func parts(of text: String) throws(ConditionFault) -> Parts {
    let form = /\s*(?i:(?<function>count|sum))\s*\(\s*(?<path>[^\s()]+)(?<rest>.*)\)\s*/
      .dotMatchesNewlines()
    guard let match = text.wholeMatch(of: form) else {
      throw ConditionFault("It is neither a count nor a sum.", remedy)
    }
    let names = match.path.split(separator: ".", maxSplits: 1).map(String.init)
    let isSum = match.function.lowercased() == "sum"
    guard names.count == (isSum ? 2 : 1), let entity = names.first else {
      throw ConditionFault(
        isSum ? "A sum is over an attribute of an entity." : "A count is of an entity.", remedy)
    }
    return Parts(
      isSum: isSum, entity: entity, attribute: isSum ? names.last : nil,
      condition: try condition(match.rest))
  }

  private static func condition(_ rest: Substring) throws(ConditionFault) -> String? {
    guard rest.contains(where: { !$0.isWhitespace }) else { return nil }
    guard let match = rest.wholeMatch(of: /\s+(?i:where)\s+(?<text>.+)/.dotMatchesNewlines())
    else { throw ConditionFault("What follows the name does not begin with \"where\".", remedy) }
    return String(match.text)
  }

  private static func unknown(_ name: String, _ schema: StoreSchema) -> ConditionFault {
    let names = schema.entities.map(\.name)
    let nearest = NearestName.suggestion(for: name, among: names)
    return ConditionFault(
      "The model \(schema.model.name) has no entity \(name)\(nearest.isEmpty ? "." : nearest)",
      "It has \(names.joined(separator: ", ")).")
  }

  /// Whole numbers alone have a sum that can be compared to the last digit.
  private static func selection(
    _ parts: Parts, _ layout: EntityLayout, _ model: Model
  ) throws(ConditionFault) -> String {
    guard parts.isSum, let name = parts.attribute else { return "count(*)" }
    let term = try ConditionTerm(name, of: layout, in: model, alias: ConditionSQL.alias)
    guard let type = term.type, type.isInteger || type == .boolean else {
      throw ConditionFault(
        "\(layout.name).\(name) holds no whole numbers, so its sum is not exact.",
        "Count objects with a condition, or sum an attribute of an integer type.")
    }
    return "ifnull(sum(\(term.column)), 0)"
  }
}
