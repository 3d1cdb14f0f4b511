import CoreDataStore
import Foundation
import Lua

/// A table of names and values as the text of a condition: all of them are equal.
struct ScriptCondition {
  private typealias Misfit = ScriptValue.Misfit

  /// The entity whose objects are asked for.
  let entity: Entity
  let model: Model

  /// The condition; fails, without the value, for one that the attribute cannot have.
  func text(_ table: LuaTable) throws -> String {
    let pairs = table.pairs
    guard !pairs.isEmpty else {
      throw Misfit(
        "the condition's table is empty: what is nil leaves no trace in it; write a text, "
          + "\"name = nil\"")
    }
    return try pairs.map { key, value in
      guard let name = key.name else { throw Misfit("a condition's table has names for keys") }
      return "\(name) == \(try literal(value, of: attribute(name)))"
    }.joined(separator: " AND ")
  }

  private func attribute(_ name: String) throws -> Attribute {
    if let found = model.attribute(named: name, of: entity) { return found.attribute }
    guard model.relationship(named: name, of: entity) == nil else {
      throw Misfit(
        "\(entity.name).\(name) is a relationship; a condition's table compares attributes")
    }
    let near = NearestName.of(name, among: model.allAttributes(of: entity).map(\.name))
    throw Misfit(
      "\(entity.name) has no attribute '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private func literal(_ value: LuaValue, of attribute: Attribute) throws -> String {
    let place = "\(entity.name).\(attribute.name)"
    let typed: AttributeValue
    do {
      typed = try ScriptValue.write(value, to: attribute)
    } catch {
      throw Misfit("cannot compare \(place): \(error)")
    }
    guard let text = Self.literal(typed) else {
      throw Misfit("cannot compare \(place): its values can only be compared with nil, in a text")
    }
    return text
  }

  /// A value as predicates write it; nil for one that they cannot write.
  private static func literal(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .boolean(let truth): truth ? "TRUE" : "FALSE"
    case .real(let number): "\(number)"
    case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
    case .decimal(let text): String(text.drop { $0 == "+" })
    case .string(let text), .uri(let text): quoted(text)
    case .uuid(let uuid): quoted(uuid.uuidString)
    case .null, .binary, .transformable, .external, .unexpected: nil
    }
  }

  /// A text between quotes, where a backslash stands before what would end it.
  ///
  /// The reader of predicates takes every other character as it is.
  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
