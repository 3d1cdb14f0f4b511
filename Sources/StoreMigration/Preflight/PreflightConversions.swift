internal import CoreDataStore
internal import SQLite

// The values that a conversion of the mapping has no counterpart for: a run would end at the first
// of them.
extension PreflightViews {
  /// Adds the objects of a way that have such a value when the last step reads them, where the
  /// value is known by then; those of the steps before are found by preflights of these.
  ///
  /// - Returns: Lines that would settle it, for each kind.
  func findMisfits(
    on path: ObjectPath, _ connection: Connection, _ failures: inout FailureList
  ) throws -> [PreflightResult.Place: [String]] {
    let place = steps.count - 1
    guard let object = path.steps.last else { return [:] }
    var remedies: [PreflightResult.Place: [String]] = [:]
    let expressions = try RowExpressions(steps[place].pair, object)
    for column in expressions.columns {
      guard let change = column.change, let conversion = change.conversion, conversion.canFail,
        let name = object.attribute(named: change.attribute)?.source, isKnown(name, path, place)
      else { continue }
      let rule = ObjectRule.convertible(to: conversion.target.name)
      let kind = PreflightResult.Place(
        entity: path.source, property: change.attribute, rule: rule.description)
      let rows = try rows(of: path, before: place)
      let value = expressions.plain(column.sql)
      try connection.query(
        """
        SELECT s.Z_PK, \(value) FROM \(rows.table) AS s
        WHERE \(rows.condition) AND \(value) IS NOT NULL ORDER BY s.Z_PK
        """
      ) { row in
        let key = row.integer(0) ?? 0
        guard try !canBeMade(change, of: row.value(1), key) else { return }
        failures.add(
          entity: path.source, key: key, property: change.attribute, rule: rule, inSource: false)
        remedies[kind] = Self.remedies(object, change.attribute, name, conversion.target)
      }
    }
    return remedies
  }

  /// The last step's conversions that can fail and are not tried on these ways, and why, in words.
  func untried(_ paths: [ObjectPath]) -> [String] {
    guard let last = steps.last else { return [] }
    let ways = Dictionary(grouping: paths) { path in
      path.steps.last.map { [$0.source, $0.target] } ?? []
    }
    return last.mapping.objects.filter { !$0.isAbstract }.flatMap { object in
      let way = ways[[object.source, object.target]]?.first
      let isMade = way == nil && isMadeByScript(object)
      return object.attributes.compactMap { attribute -> String? in
        guard case .source(let name, let conversion?) = attribute.origin, conversion.canFail,
          isMade || way.map({ !isKnown(name, $0, steps.count - 1) }) ?? false
        else { return nil }
        let reason = isMade ? "a script makes the objects" : "a step on the way makes the values"
        return "\(object.target).\(attribute.name): \(reason), so only a run or a dry run shows "
          + "which values cannot be converted"
      }
    }
  }

  /// Whether a script makes objects, or those that they were in a version before.
  private func isMadeByScript(_ object: ObjectMapping) -> Bool {
    var names: Set = [object.target]
    for step in steps.reversed() {
      let objects = step.mapping.objects.filter { names.contains($0.target) }
      guard names.isDisjoint(with: step.claims.made),
        objects.allSatisfy({ $0.isAbstract || step.claims.leavesAlone($0, step.mapping) })
      else { return true }
      names = Set(objects.map(\.source))
    }
    return false
  }

  private func canBeMade(_ change: ValueChange, of value: Value, _ key: Int64) throws -> Bool {
    do {
      _ = try change.value(of: value, key: key)
      return true
    } catch let failure as Failure where failure.kind == .unusable {
      return false
    }
  }

  /// Whether an attribute still has the value of the store when a step reads it.
  private func isKnown(_ name: String, _ path: ObjectPath, _ place: Int) -> Bool {
    guard place > 0, let object = path.steps.prefix(place).last,
      let layout = steps[place - 1].target.entity(named: object.target)
    else { return true }
    return PreflightChecks(
      ObjectPath(steps: Array(path.steps.prefix(place))), Array(steps.prefix(place)), layout
    ).isKnown(name)
  }

  private static func remedies(
    _ object: ObjectMapping, _ attribute: String, _ source: String, _ type: AttributeType
  ) -> [String] {
    let script = SnippetText.scriptOrStage(object)
    guard type.isInteger || type == .double || type == .float || type == .decimal,
      let function = SnippetText.function(attribute, of: source, "tonumber(\(source))")
    else { return [script] }
    return ["\(script) -- \(function)"]
  }
}
