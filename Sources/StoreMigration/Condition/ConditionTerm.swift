internal import CoreDataStore
internal import Formats
internal import Foundation
internal import SQLite

/// A stored property that a condition speaks of: its column, and what can be compared with it.
struct ConditionTerm {
  /// The name, as the condition has it.
  let name: String
  /// The column, over the alias of the row.
  let column: String
  /// The type of the attribute; nil for a to-one.
  let type: AttributeType?

  /// The attribute or to-one that a key path names.
  init(
    _ path: String, of layout: EntityLayout, in model: Model, alias: String
  ) throws(ConditionFault) {
    guard let storage = layout[path] else { throw Self.unknown(path, layout) }
    name = path
    switch storage {
    case .attribute(let stored):
      let entity = model.entity(named: layout.name)
      type = entity.flatMap { model.attribute(named: path, of: $0)?.attribute.type } ?? .undefined
      column = Self.column(stored, alias)
    case .toOne(let stored):
      type = nil
      column = Self.column(stored.key, alias)
    case .toMany, .manyToMany:
      throw ConditionFault(
        "\(layout.name).\(path) leads to many objects, and a condition is about one row.",
        "Use attributes and relationships to one object.")
    case .notStored:
      throw ConditionFault(
        "\(layout.name).\(path) is not stored, so nothing can be asked of it.",
        "Use attributes and relationships that are stored.")
    }
  }

  private static func column(_ column: StoreColumn, _ alias: String) -> String {
    "\(alias).\(Identifier.quoted(column.name))"
  }

  private static func unknown(_ path: String, _ layout: EntityLayout) -> ConditionFault {
    if let dot = path.firstIndex(of: "."), layout[String(path[..<dot])] != nil {
      return ConditionFault(
        "The key path \(path) leads to another object, and a condition is about one row.",
        "Use attributes and relationships of \(layout.name) itself.")
    }
    let names = layout.properties
    let nearest = NearestName.suggestion(for: path, among: names)
    return ConditionFault(
      "\(layout.name) has no property \(path)\(nearest.isEmpty ? "." : nearest)",
      "It has \(names.isEmpty ? "none" : names.joined(separator: ", ")).")
  }

  /// Whether values stand in an order.
  var isOrdered: Bool {
    type.map { $0.facts.isNumber || $0 == .string || $0 == .date } ?? false
  }

  /// Whether the values of two properties are stored alike.
  func isComparable(with other: ConditionTerm) -> Bool {
    guard let type, let otherType = other.type else { return false }
    return type == otherType || (type.facts.isNumber && otherType.facts.isNumber)
  }
}

// Constants as a column of the type holds them.
extension ConditionTerm {
  func literal(_ constant: ModelConstant) throws(ConditionFault) -> String {
    guard let type else {
      throw ConditionFault(
        "\(name) is a relationship, which can be compared with nil alone.",
        "Write \(name) = nil or \(name) != nil.")
    }
    guard let literal = Self.literal(constant, type) else { throw misfit(constant, type) }
    return literal
  }

  /// Text that stands for itself; nil for anything else.
  static func text(_ constant: ModelConstant) -> String? {
    guard case .string(let text) = constant else { return nil }
    return quoted(text)
  }

  private static func literal(_ constant: ModelConstant, _ type: AttributeType) -> String? {
    switch (type, constant) {
    case (.boolean, .integer(let value)): value == 0 || value == 1 ? String(value) : nil
    case (.boolean, .boolean(let value)): value ? "1" : "0"
    case (_, .integer(let value)) where type.facts.isNumber: String(value)
    case (_, .real(let value)) where type.facts.isNumber && value.isFinite: String(value)
    case (_, .decimal(let value)) where type.facts.isNumber && value.isFinite: value.description
    case (.date, .date(let seconds)) where seconds.isFinite: ModelConstant.plain(seconds)
    case (.date, .string(let text)): seconds(text).map(ModelConstant.plain)
    case (.string, .string(let text)), (.uri, .string(let text)), (.uri, .uri(let text)):
      quoted(text)
    case (.uuid, .uuid(let uuid)): blob(uuid)
    case (.uuid, .string(let text)): UUID(uuidString: text).map(blob)
    default: nil
    }
  }

  private func misfit(_ constant: ModelConstant, _ type: AttributeType) -> ConditionFault {
    let remedy =
      switch type {
      case .boolean: "Compare it with true or false."
      case .date: "Write the time as \"2024-12-31T23:00:00Z\" or CAST(757378800, \"NSDate\")."
      case .uuid: "Write the UUID as text of 36 characters."
      case .string, .uri: "Write the value between quotes, without a NUL."
      case .binary, .transformable: "Compare it with nil."
      default: "Write a number."
      }
    return ConditionFault(
      "\(constant.predicateText) is no value of \(name), which is of the type \(type.name).",
      remedy)
  }

  /// Text as SQL; nil for one with a NUL, at which SQLite stops reading.
  ///
  /// "A string constant is formed by enclosing the string in single quotes", and a quote inside is
  /// doubled (SQLite, Expressions).
  private static func quoted(_ text: String) -> String? {
    text.utf8.contains(0) ? nil : "'\(text.doubling("'"))'"
  }

  private static func blob(_ uuid: UUID) -> String {
    "x'\(uuid.uuidString.replacing("-", with: ""))'"
  }

  /// Seconds since the first instant of 2001 of a time in ISO 8601, in UTC.
  ///
  /// The parser alone would stop at what it does not know, and take the 31st of February.
  private static func seconds(_ text: String) -> Double? {
    let isWhole = text.wholeMatch(of: /\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?/) != nil
    guard isWhole else { return nil }
    let style: Date.ISO8601FormatStyle =
      if text.count == 10 {
        .iso8601.year().month().day()
      } else {
        .init(includingFractionalSeconds: text.contains("."))
      }
    guard let date = try? style.parse(text), style.format(date).prefix(10) == text.prefix(10)
    else { return nil }
    return date.timeIntervalSinceReferenceDate
  }
}
