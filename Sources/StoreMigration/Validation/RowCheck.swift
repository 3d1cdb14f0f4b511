internal import CoreDataStore
internal import SQLite

/// One rule about the rows of one entity, as SQL.
struct RowCheck {
  /// The property it is about, and the entity that declares it; the first of several.
  let property: PropertyReference
  let isRelationship: Bool
  let rule: ObjectRule
  /// The condition that finds the rows that break the rule, in one reading of the table.
  ///
  /// With ``confirm`` it finds those that may.
  let search: String
  /// The same condition, cheap where one row is asked.
  let violation: String
  /// The values that the rule is about.
  let values: [String]
  /// How the only value is read; nil where it is not an attribute's.
  let storage: AttributeStorage?
  /// Whether a value that may break the rule does.
  let confirm: ((Value) -> Bool)?
  /// What shows, where it is true, that no row breaks the rule.
  var fact: RowFact?
  /// A query for the numbers of the entities with rows that break the rule, where the search reads
  /// the whole table: all entities that inherit the rule have the same query.
  var breakers: String?

  init(
    _ property: PropertyReference, isRelationship: Bool = false, _ rule: ObjectRule,
    _ violation: String, search: String? = nil, values: [String], storage: AttributeStorage? = nil,
    confirm: ((Value) -> Bool)? = nil
  ) {
    self.property = property
    self.isRelationship = isRelationship
    self.rule = rule
    self.violation = violation
    self.search = search ?? violation
    self.values = values
    self.storage = storage
    self.confirm = confirm
  }

  /// The name of the property, or of those that must be unique together.
  var propertyNames: String {
    if case .unique(let names) = rule { names.joined(separator: ", ") } else { property.property }
  }

  /// What a search selects: a value to be confirmed, or 1.
  var selection: String {
    confirm == nil ? "(\(search))" : "CASE WHEN \(search) THEN \(values[0]) END"
  }

  /// Whether what a search selected breaks the rule.
  func isBroken(_ selected: Value) -> Bool {
    guard let confirm else { return selected.integer == 1 }
    return !selected.isNull && confirm(selected)
  }
}
