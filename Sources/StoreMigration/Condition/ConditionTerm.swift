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
    // No property of Core Data has a capital first.
    let isText = nearest.isEmpty && path.first?.isUppercase == true
    return ConditionFault(
      "\(layout.name) has no property \(path)\(nearest.isEmpty ? "." : nearest)",
      "It has \(names.isEmpty ? "none" : names.joined(separator: ", "))."
        + (isText ? " A text stands in quotes: '\(path)'." : ""))
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
  /// What the column holds for a constant.
  func value(_ constant: ModelConstant) throws(ConditionFault) -> Value {
    guard let type else {
      throw ConditionFault(
        "\(name) is a relationship, which can be compared with nil alone.",
        "Write \(name) = nil or \(name) != nil.")
    }
    guard let value = Self.value(constant, type) else { throw misfit(constant, type) }
    return value
  }

  /// How SQL writes a constant; it cannot write a text with a NUL.
  func literal(_ constant: ModelConstant) throws(ConditionFault) -> String {
    guard let literal = Self.literal(try value(constant)) else {
      throw misfit(constant, type ?? .string)
    }
    return literal
  }

  private static func value(_ constant: ModelConstant, _ type: AttributeType) -> Value? {
    switch (type, constant) {
    case (.boolean, .integer(let value)): value == 0 || value == 1 ? .integer(value) : nil
    case (.boolean, .boolean(let value)): .integer(value ? 1 : 0)
    case (_, .integer(let value)) where type.facts.isNumber: .integer(value)
    case (_, .real(let value)) where type.facts.isNumber && value.isFinite: .real(value)
    case (_, .decimal) where type.facts.isNumber: stored(constant, .decimal)
    case (.date, .date(let seconds)) where seconds.isFinite: stored(constant, .date)
    case (.date, .string(let text)): seconds(text).flatMap { stored(.date($0), .date) }
    case (.string, .string(let text)), (.uri, .string(let text)), (.uri, .uri(let text)):
      .text(text)
    case (.uuid, .uuid): stored(constant, .uuid)
    case (.uuid, .string(let text)): UUID(uuidString: text).flatMap { stored(.uuid($0), .uuid) }
    default: nil
    }
  }

  private static func stored(_ constant: ModelConstant, _ type: AttributeType) -> Value? {
    AttributeStorage(type).stored(constant: constant)
  }

  private static func literal(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text.string.flatMap(quoted)
    case .blob(let bytes): "x'\(Hex.encode(bytes))'"
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
