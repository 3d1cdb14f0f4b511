import CoreDataStore
import Foundation
import Lua

/// The condition that a script gives: a text, or a table of names and values that are equal.
struct ScriptCondition {
  private typealias Misfit = ScriptValue.Misfit

  /// The entity whose objects are asked for.
  let entity: Entity
  let model: Model
  /// What remembers the entity's attributes.
  let objects: ObjectBridge

  /// The condition; nil for what is neither a text nor a table.
  ///
  /// - Throws: `ScriptValue.Misfit`, without the value, for one that the attribute cannot have.
  func predicate(_ value: LuaValue) throws -> ModelPredicate? {
    if let text = value.text { return PredicateParser.predicate(text) }
    return try value.table.map { .and(try comparisons($0)) }
  }

  private func comparisons(_ table: LuaTable) throws -> [ModelPredicate] {
    let pairs = table.pairs
    guard !pairs.isEmpty else {
      throw Misfit(
        "the condition's table is empty: what is nil leaves no trace in it; write a text, "
          + "\"name = nil\"")
    }
    return try pairs.map { key, value in
      guard let name = key.name else { throw Misfit("a condition's table has names for keys") }
      guard let attribute = objects.attribute(name, of: entity.name, .target) else {
        throw unknown(name)
      }
      let constant = try constant(value, of: attribute)
      return .comparison(ModelComparison(.keyPath(name), .equal, .constant(constant)))
    }
  }

  private func unknown(_ name: String) -> Misfit {
    guard model.relationship(named: name, of: entity) == nil else {
      return Misfit(
        "\(entity.name).\(name) is a relationship; a condition's table compares attributes")
    }
    let near = NearestName.of(name, among: model.allAttributes(of: entity).map(\.name))
    return Misfit(
      "\(entity.name) has no attribute '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private func constant(_ value: LuaValue, of attribute: Attribute) throws -> ModelConstant {
    let place = "\(entity.name).\(attribute.name)"
    let typed: AttributeValue
    do {
      typed = try ScriptValue.write(value, to: attribute)
    } catch {
      throw Misfit("cannot compare \(place): \(error)")
    }
    guard let constant = Self.constant(typed) else {
      throw Misfit("cannot compare \(place): its values can only be compared with nil, in a text")
    }
    return constant
  }

  /// A value as a constant of predicates; nil for one that they cannot compare.
  private static func constant(_ value: AttributeValue) -> ModelConstant? {
    switch value {
    case .integer(let number): .integer(number)
    case .boolean(let truth): .boolean(truth)
    case .real(let number): .real(number)
    case .date(let seconds): .date(seconds)
    // As a Double, "9007199254740993.0" would be another number than its column holds.
    case .decimal(let text): Decimal(plain: text).map(ModelConstant.decimal)
    case .string(let text): .string(text)
    case .uri(let text): .uri(text)
    case .uuid(let uuid): .uuid(uuid)
    case .null, .binary, .transformable, .external, .unexpected: nil
    }
  }
}
