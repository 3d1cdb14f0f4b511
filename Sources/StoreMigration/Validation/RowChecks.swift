internal import CoreDataStore
internal import Foundation
internal import SQLite

/// The rules of a model about the rows of one entity, for one schema of a connection.
struct RowChecks {
  private(set) var all: [RowCheck] = []
  /// What cannot be checked, and why.
  private(set) var unchecked: [String] = []

  let schema: StoreSchema
  let layout: EntityLayout
  /// The name of the schema on the connection, "main" or "source".
  let database: String
  let alias: String

  /// What the names of the tables end with that have the keys and numbers of the objects of several
  /// entities.
  private let keys: String
  private let entity: Entity?

  /// The rules about the objects of this very entity.
  init(
    of layout: EntityLayout, in schema: StoreSchema, database: String, alias: String,
    keys: String = ""
  ) throws {
    self.schema = schema
    self.layout = layout
    self.database = database
    self.alias = alias
    self.keys = keys
    entity = schema.model.entity(named: layout.name)
    try addAttributes()
    addRelationships()
    addOwners()
    addConstraints()
  }

  private var model: Model { schema.model }

  private func column(_ name: String) -> String { "\(alias).\(Identifier.quoted(name))" }

  /// Says what shows that the last rule is not broken.
  private mutating func state(_ fact: RowFact) { all[all.count - 1].fact = fact }

  private mutating func leaveOut(_ property: String, _ why: String) {
    unchecked.append("\(layout.name).\(property): \(why)")
  }

  /// A row of another table, between whose numbers its entity must be.
  private func rows(of target: EntityLayout, _ condition: String) -> String {
    "SELECT 1 FROM \(Identifier.quoted(target.table, in: database)) AS d WHERE \(condition)"
  }

  private func isPresent(_ key: String, _ target: EntityLayout) -> String {
    let numbers = "\(target.family.lowerBound) AND \(target.family.upperBound)"
    let table = Identifier.quoted(target.table + (target.sharesTable ? keys : ""), in: database)
    return """
      EXISTS (SELECT 1 FROM \(table) AS d WHERE d.Z_PK = \(key) AND d.Z_ENT BETWEEN \(numbers))
      """
  }
}

// Attributes.
extension RowChecks {
  /// Derived attributes are computed by Core Data, which does not validate them.
  private mutating func addAttributes() throws {
    guard let entity else { return }
    for attribute in model.allAttributes(of: entity) where attribute.derivation == nil {
      guard let stored = try layout.column(of: attribute) else { continue }
      let column = column(stored.name)
      if !attribute.isOptional {
        add(attribute, .mandatory, "\(column) IS NULL", column)
        state(.filled(layout.table, stored.name))
      }
      for rule in attribute.validation {
        do throws(ConditionFault) {
          try add(rule, of: attribute, column)
        } catch {
          leaveOut(attribute.name, "the rule \"\(rule)\" is not checked. \(error.why)")
        }
      }
    }
  }

  private mutating func add(
    _ attribute: Attribute, _ rule: ObjectRule, _ violation: String, _ column: String,
    confirm: ((Value) -> Bool)? = nil
  ) {
    let declared = entity.flatMap { model.attribute(named: attribute.name, of: $0)?.declaredBy }
    all.append(
      RowCheck(
        PropertyReference(declared?.name ?? layout.name, attribute.name), rule, violation,
        values: [column], storage: AttributeStorage(of: attribute), confirm: confirm))
  }

  private mutating func add(
    _ rule: ValidationRule, of attribute: Attribute, _ column: String
  ) throws(ConditionFault) {
    let term = try ConditionTerm(attribute.name, of: layout, in: model, alias: alias)
    let size = "length(CAST(\(column) AS BLOB))"
    switch rule {
    case .minimum(let bound):
      add(attribute, .value(rule), "\(column) < \(try term.literal(bound))", column)
    case .maximum(let bound):
      add(attribute, .value(rule), "\(column) > \(try term.literal(bound))", column)
    case .minimumLength(let length):
      try requireText(attribute)
      // A unit of UTF-16, by which Core Data counts, takes three bytes of UTF-8 at most ...
      add(attribute, .value(rule), "\(size) / 3 < \(length)", column) {
        Self.length($0).map { $0 < length } == true
      }
    case .maximumLength(let length):
      try requireText(attribute)
      // ... and one at least.
      add(attribute, .value(rule), "\(size) > \(length)", column) {
        Self.length($0).map { $0 > length } == true
      }
    case .matches(let pattern):
      try requireText(attribute)
      guard let expression = TextPattern(pattern) else {
        throw ConditionFault("It is no regular expression.")
      }
      add(attribute, .value(rule), "\(column) IS NOT NULL", column) {
        $0.string.map { !expression.matches($0) } == true
      }
    case .predicate(let predicate):
      let condition = ConditionTranslation(
        layout: layout, model: model, alias: alias, itself: attribute.name)
      let violation = "\(column) IS NOT NULL AND NOT (\(try condition.sql(predicate)))"
      add(attribute, .value(rule), violation, column)
    }
  }

  private func requireText(_ attribute: Attribute) throws(ConditionFault) {
    guard attribute.type == .string || attribute.type == .uri else {
      throw ConditionFault("The attribute is no text.")
    }
  }

  private static func length(_ value: Value) -> Int? { value.string?.utf16.count }
}

// Relationships.
extension RowChecks {
  private mutating func addRelationships() {
    guard let entity else { return }
    for relationship in model.allRelationships(of: entity) {
      let declared = model.relationship(named: relationship.name, of: entity)?.declaredBy
      let reference = PropertyReference(declared?.name ?? layout.name, relationship.name)
      switch layout[relationship.name] {
      case .toOne(let storage): addToOne(relationship, reference, storage)
      case .toMany(let storage):
        addCounts(relationship, reference, storage.table, storage.key.name)
      case .manyToMany(let storage):
        addCounts(relationship, reference, storage.table, storage.source)
      case .attribute, .notStored, nil: continue
      }
    }
  }

  private mutating func add(
    _ reference: PropertyReference, _ rule: ObjectRule, _ violation: String, _ value: String
  ) {
    all.append(
      RowCheck(reference, isRelationship: true, rule, violation, values: [value]))
  }

  private mutating func addToOne(
    _ relationship: Relationship, _ reference: PropertyReference, _ storage: ToOneStorage
  ) {
    let key = column(storage.key.name)
    if !relationship.isOptional {
      add(reference, .mandatory, "\(key) IS NULL", key)
      state(.filled(layout.table, storage.key.name))
    }
    guard let target = schema.entity(named: relationship.destination) else { return }
    add(reference, .present, "\(key) IS NOT NULL AND NOT \(isPresent(key, target))", key)
    state(.keys(KeyColumn(layout.table, storage.key.name, of: target, mayBeNull: true)))
    if let number = storage.entity {
      let differs = "d.Z_PK = \(key) AND d.Z_ENT IS NOT \(column(number.name))"
      add(reference, .entityNumber, "EXISTS (\(rows(of: target, differs)))", key)
    }
    guard let inverse = model.inverse(of: relationship),
      case .toOne(let back) = schema.entity(named: inverse.declaredBy.name)?[
        inverse.relationship.name]
    else { return }
    let backKey = "d.\(Identifier.quoted(back.key.name))"
    let differs = "d.Z_PK = \(key) AND \(backKey) IS NOT \(column("Z_PK"))"
    add(reference, .inverse, "EXISTS (\(rows(of: target, differs)))", key)
  }

  /// An optional relationship may lead to no object, whatever the fewest are; one that must lead to
  /// some and names no number may, too, as Core Data leaves such a one empty when it is new.
  private mutating func addCounts(
    _ relationship: Relationship, _ reference: PropertyReference, _ table: String, _ key: String
  ) {
    let table = Identifier.quoted(table, in: database)
    let key = Identifier.quoted(key)
    let count = "(SELECT count(*) FROM \(table) AS d WHERE d.\(key) = \(column("Z_PK")))"
    let least = relationship.minCount
    if least > 0, !relationship.isOptional {
      add(reference, .atLeast(1, orNone: false), "\(count) = 0", count)
    }
    if least > 1 {
      add(
        reference, .atLeast(least, orNone: true), "\(count) BETWEEN 1 AND \(least - 1)", count)
    }
    guard relationship.maxCount > 1 else { return }
    add(reference, .atMost(relationship.maxCount), "\(count) > \(relationship.maxCount)", count)
  }

  /// The objects that these belong to by a to-many without an inverse.
  private mutating func addOwners() {
    let ancestors = entity.map(model.lineage) ?? []
    for owner in ancestors.flatMap({ schema.owners(of: $0.name) }).sorted() {
      guard let place = schema.entity(named: owner.entity),
        case .toMany(let storage) = place[owner.property], !storage.hasInverse
      else { continue }
      let key = column(storage.key.name)
      add(owner, .present, "\(key) IS NOT NULL AND NOT \(isPresent(key, place))", key)
      state(.keys(KeyColumn(layout.table, storage.key.name, of: place, mayBeNull: true)))
    }
  }
}

// Uniqueness constraints.
extension RowChecks {
  private mutating func addConstraints() {
    guard let entity else { return }
    for ancestor in model.lineage(of: entity) {
      guard let place = schema.entity(named: ancestor.name) else { continue }
      for constraint in ancestor.uniquenessConstraints { add(constraint, of: place) }
    }
  }

  private mutating func add(_ constraint: [String], of ancestor: EntityLayout) {
    let columns = constraint.compactMap { layout[$0]?.columns.first?.name }
    guard columns.count == constraint.count, let first = constraint.first else {
      leaveOut(constraint.joined(separator: ", "), "the constraint is over what is not stored.")
      return
    }
    let own = columns.map(column)
    let other = columns.map { "o.\(Identifier.quoted($0))" }
    let numbers = "\(ancestor.family.lowerBound) AND \(ancestor.family.upperBound)"
    let others = "\(Identifier.quoted(layout.table, in: database)) AS o"
    let list = other.joined(separator: ", ")
    let isThere = other.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let isSame = zip(own, other).map { "\($0) = \($1)" }.joined(separator: " AND ")
    let search = """
      ifnull((\(own.joined(separator: ", "))) IN (SELECT \(list) FROM \(others) \
      WHERE o.Z_ENT BETWEEN \(numbers) AND \(isThere) GROUP BY \(list) HAVING count(*) > 1), 0)
      """
    let violation = """
      EXISTS (SELECT 1 FROM \(others) WHERE \(isSame) AND o.Z_PK <> \(column("Z_PK")) \
      AND o.Z_ENT BETWEEN \(numbers))
      """
    all.append(
      RowCheck(
        PropertyReference(ancestor.name, first), .unique(constraint), violation, search: search,
        values: own))
    guard ancestor.hasSubentities else { return }
    all[all.count - 1].breakers = """
      SELECT DISTINCT o.Z_ENT FROM \(others) WHERE o.Z_ENT BETWEEN \(numbers) AND \
      (\(list)) IN (SELECT \(list) FROM \(others) \
      WHERE o.Z_ENT BETWEEN \(numbers) AND \(isThere) GROUP BY \(list) HAVING count(*) > 1)
      """
  }
}

/// A regular expression that a whole text matches, as `MATCHES` of a predicate means it.
package struct TextPattern {
  private let expression: NSRegularExpression

  /// The pattern, in the dialect of ICU; nil when it is none.
  package init?(_ pattern: String) {
    // Not ^ and $: those match at line ends, too.
    guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else {
      return nil
    }
    self.expression = expression
  }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
