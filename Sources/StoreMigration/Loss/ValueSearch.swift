internal import CoreDataStore
internal import SQLite
internal import StoreReplacement

/// Where the values of one attribute are looked for, and what counts as the same.
struct ValueSearch {
  /// A column of the new store, with how values lie in it.
  struct Target {
    let name: String
    let column: String
    let storage: AttributeStorage
  }

  /// The attribute, of which nothing is counted yet.
  let loss: PropertyLoss
  let name: String
  /// Its column in a row of the source, `s`.
  let column: String
  /// Where its values should be, in a row of the new store, `t`.
  let targets: [Target]
  /// Whether a value is there as it was, by its stored form; nil where it has no place.
  let same: String?
  /// Whether it is known that all values are there as they were, in objects of the same keys.
  let isKept: Bool

  private let storage: AttributeStorage
  private let conversions: [Conversion]
  private let work: LossCount

  /// The search for a stored attribute; nil where nothing of it is stored.
  init?(
    _ attribute: Attribute, _ entity: EntityLayout, _ target: EntityLayout?,
    _ course: EntityCourse, _ work: LossCount
  ) throws {
    guard let own = try entity.column(of: attribute) else { return nil }
    self.work = work
    name = own.name
    column = "s.\(Identifier.quoted(name))"
    storage = AttributeStorage(of: attribute)
    conversions = course.conversions[attribute.name] ?? []
    let model = work.target.schema.model
    var names = course.attributes[attribute.name] ?? []
    let isDerived = Self.isComputed(attribute.name, target, model)
    if names.isEmpty, isDerived { names = [attribute.name] }
    targets = names.compactMap { name in
      guard let column = target?.column(named: name),
        let found = model.attribute(name, ofEntity: target?.name ?? "")
      else { return nil }
      return Target(
        name: column.name, column: "t.\(Identifier.quoted(column.name))",
        storage: AttributeStorage(of: found))
    }
    var loss = PropertyLoss(
      entity: entity.name, property: attribute.name, isRelationship: false,
      fate: attribute.derivation != nil || isDerived
        ? .derived : Self.fate(of: attribute.name, entity.name, names, course))
    loss.places = names.map { PropertyReference(course.target ?? entity.name, $0) }
    self.loss = loss
    isKept = Self.isKept(name, storage, entity, target, targets, work)
    let column = column
    let checks = targets.map { "(\($0.column) IS \(column) AND \(Self.types($0.column, column)))" }
    same = checks.isEmpty ? nil : checks.joined(separator: " OR ")
  }

  private static func isKept(
    _ name: String, _ storage: AttributeStorage, _ entity: EntityLayout, _ target: EntityLayout?,
    _ places: [Target], _ work: LossCount
  ) -> Bool {
    guard let target, work.keptColumns.count(of: entity, as: target) != nil else { return false }
    return places.contains {
      $0.storage == storage
        && work.keptColumns.areSame(name, of: entity.table, $0.name, of: target.table)
    }
  }

  /// "IS" makes no difference between a text and a blob of another column's affinity only; numbers
  /// may change between INTEGER and REAL and stay the same number.
  private static func types(_ new: String, _ old: String) -> String {
    "(typeof(\(new)) = 'blob') = (typeof(\(old)) = 'blob')"
  }

  private static func fate(
    of name: String, _ entity: String, _ places: [String], _ course: EntityCourse
  ) -> PropertyLoss.Fate {
    guard places.isEmpty else {
      return places.contains(name) && course.target == entity ? .kept : .moved
    }
    switch course.ends[name] ?? course.fate {
    case .scripted: return .scripted
    case .kept, .moved, .dropped, nil: return .dropped
    }
  }

  /// Whether the new model computes an attribute of this name.
  private static func isComputed(_ name: String, _ target: EntityLayout?, _ model: Model) -> Bool {
    target.flatMap { model.attribute(name, ofEntity: $0.name) }?.derivation != nil
  }

  /// Whether its values have a place to which they travel as they are.
  var isPlain: Bool {
    same != nil && conversions.isEmpty && [.kept, .moved].contains(loss.fate)
  }

  var all: String { "count(\(column))" }

  /// What is counted where it has a place: the values whose object is gone, those that are missing,
  /// those that are stored otherwise.
  var differing: [String] {
    guard let same else { return [] }
    let isThere = targets.map { "\($0.column) IS NOT NULL" }.joined(separator: " OR ")
    func count(_ condition: String) -> String {
      "count(CASE WHEN \(column) IS NOT NULL AND \(condition) THEN 1 END)"
    }
    return [
      count("t.Z_PK IS NULL"), count("t.Z_PK IS NOT NULL AND NOT (\(isThere))"),
      count("(\(isThere)) AND NOT (\(same))"),
    ]
  }

  /// Whether a value that is stored otherwise may still say the same.
  var needsReading: Bool {
    conversions.contains { !$0.keepsStoredForm } || storage.isExternal
      || targets.contains(where: \.storage.isExternal)
  }

  /// Whether the old value follows from the new one.
  func isSame(_ old: Value, _ new: Value) throws -> Bool {
    guard let target = targets.first else { return false }
    let (before, after) = (storage.value(of: old), target.storage.value(of: new))
    if let old = try digest(before, work.source), let new = try digest(after, work.target) {
      return old == new
    }
    var value = before
    for conversion in conversions {
      guard let next = conversion.convert(value) else { return false }
      value = next
    }
    guard target.storage.stored(value) == new else { return false }
    return conversions.allSatisfy { !$0.losesPrecision } || follows(before, from: after)
  }

  /// Whether the way back leads to the value.
  private func follows(_ old: AttributeValue, from new: AttributeValue) -> Bool {
    if case .date(let seconds) = old, conversions.last?.target == .string {
      // The text has milliseconds, and no rule leads back from texts to dates.
      return (seconds * 1000).rounded() / 1000 == seconds
    }
    var value = new
    for conversion in conversions.reversed() {
      guard let back = Conversion(from: conversion.target, to: conversion.source),
        let next = back.convert(value)
      else { return false }
      value = next
    }
    return storage.stored(value) == storage.stored(old)
  }

  /// The digest of data, wherever it lies.
  private func digest(_ value: AttributeValue, _ store: VerifiedStore) throws -> FileDigest? {
    switch value {
    case .binary(let bytes), .transformable(let bytes): FileDigest(of: bytes[...])
    case .external(let reference): try store.digest(of: reference)
    default: nil
    }
  }
}
