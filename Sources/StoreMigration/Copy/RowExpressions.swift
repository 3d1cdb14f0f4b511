internal import CoreDataStore
package import SQLite

/// By which SQL the columns of a new row come from a row of the source, which is `s`.
///
/// Z_PK is not among them: keys are kept, or the copy gives new ones.
package struct RowExpressions {
  package struct Column {
    /// Its name.
    package let column: String
    /// Its value, or what ``change`` makes the value of.
    package let sql: String
    /// What SQL alone cannot do.
    let change: ValueChange?
    /// The same value to be put into the column, whose type makes of it what ``sql`` says.
    var inserted: String?
  }

  /// The mapping that it carries out.
  package let object: ObjectMapping
  /// The columns that get a value.
  package private(set) var columns: [Column] = []
  /// What a row must meet to be carried over, over `s`; nil for nothing.
  package let conditions: String?
  /// The values of the expressions' parameters, which are numbered from 1.
  package private(set) var bindings: [Value] = []

  let source: EntityLayout
  let target: EntityLayout
  private let pair: any StorePair

  /// The expressions of one mapping.
  ///
  /// - Throws: ``Failure`` when a constant does not fit, and for a condition that cannot be used.
  package init(_ pair: any StorePair, _ object: ObjectMapping) throws {
    self.pair = pair
    self.object = object
    source = try pair.sourceLayout(object.source)
    target = try pair.targetLayout(object.target)
    conditions = try Self.conditions(object.conditions, source, pair)
    columns = [
      Column(column: "Z_ENT", sql: "\(target.number)", change: nil),
      // "Z_OPT = save counter, 1 at insert": kept as it is, NULL too.
      Column(column: "Z_OPT", sql: "s.Z_OPT", change: nil),
    ]
    for attribute in object.attributes { try add(attribute) }
    columns += pair.travel.columns(of: object).map {
      Column(column: $0.column, sql: $0.sql, change: nil)
    }
  }

  /// Whether some value needs more than SQL.
  var needsRows: Bool { columns.contains { $0.change != nil } }

  /// All conditions as one expression; nil when there are none.
  static func conditions(
    _ conditions: [String], _ layout: EntityLayout, _ pair: any StorePair
  ) throws -> String? {
    guard !conditions.isEmpty else { return nil }
    let model = pair.sourceSchema.model
    return
      try conditions
      .map { "(\(try ConditionSQL($0, layout: layout, model: model).sql))" }
      .joined(separator: " AND ")
  }

  private mutating func add(_ attribute: AttributeMapping) throws {
    guard let property = targetAttribute(attribute.name),
      let column = try target.column(of: property)
    else { return }
    switch attribute.origin {
    case .null, .script, .derivation: return
    case .value(let constant):
      let value = try stored(constant, property)
      columns.append(Column(column: column.name, sql: bind(value), change: nil))
    case .source(let name, let conversion):
      guard let old = source.column(named: name) else { return }
      try add(column, from: old, name, conversion, attribute, property)
    }
  }

  private mutating func add(
    _ column: StoreColumn, from old: StoreColumn, _ name: String, _ conversion: Conversion?,
    _ mapping: AttributeMapping, _ property: Attribute
  ) throws {
    let plain = "s.\(Identifier.quoted(old.name))"
    let sql = Self.carried(plain, conversion, column)
    let replacement = try mapping.replacement.map { try stored($0, property) }
    let needsChange = mapping.storage != .none || conversion?.keepsStoredForm == false
    guard needsChange, let before = sourceAttribute(name) else {
      let other = replacement.map { bind($0) }
      func whole(_ sql: String) -> String { other.map { "ifnull(\(sql), \($0))" } ?? sql }
      columns.append(
        Column(column: column.name, sql: whole(sql), change: nil, inserted: whole(plain)))
      return
    }
    let change = ValueChange(
      entity: source.name, attribute: name, conversion: conversion,
      source: AttributeStorage(of: before), target: AttributeStorage(of: property),
      replacement: replacement, external: pair.external, note: pair.note)
    columns.append(Column(column: column.name, sql: sql, change: change))
  }

  /// A column "that uses floating point values forces integer values into floating point" (SQLite,
  /// Datatypes): said here as well, so that a verification expects the same.
  private static func carried(
    _ sql: String, _ conversion: Conversion?, _ column: StoreColumn
  ) -> String {
    guard conversion?.keepsStoredForm == true, column.type == .float else { return sql }
    return "CASE typeof(\(sql)) WHEN 'integer' THEN CAST(\(sql) AS REAL) ELSE \(sql) END"
  }

  private mutating func bind(_ value: Value) -> String {
    bindings.append(value)
    return "?\(bindings.count)"
  }

  private func stored(_ constant: ModelConstant, _ attribute: Attribute) throws -> Value {
    if let value = AttributeStorage(of: attribute).stored(constant: constant) { return value }
    throw Failure(
      .unusable, what: "cannot give an attribute its value",
      subject: "attribute \(target.name).\(attribute.name)",
      why: "Its constant or default is no value of the type \(attribute.type.name).",
      remedy: "Give it a value in the pipeline file, or correct the model.")
  }

  private func sourceAttribute(_ name: String) -> Attribute? {
    pair.sourceSchema.model.attribute(name, ofEntity: source.name)
  }

  private func targetAttribute(_ name: String) -> Attribute? {
    pair.targetSchema.model.attribute(name, ofEntity: target.name)
  }
}
