internal import CoreDataStore
internal import SQLite

/// Searches for equal values, by the attributes they name: only the values are new each time.
///
/// A script that looks something up for each object would otherwise have the same SQL written, and
/// the model asked the same, as often.
struct SearchForms {
  private struct Form: Hashable {
    let entity: String
    let names: [String]
    /// A text is searched for by its beginning, too.
    let areTexts: [Bool]
  }

  private let builder: StoreBuilder
  private var searches: [Form: ScriptedCopy.Search] = [:]
  private var terms: [PropertyReference: ConditionTerm] = [:]

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// The search for the objects of an entity, and of those that inherit from it, that meet a
  /// condition.
  mutating func search(
    _ entity: String, _ condition: ModelPredicate?
  ) throws -> ScriptedCopy.Search {
    guard let equal = condition.flatMap(Self.equalities),
      let values = values(equal, entity)
    else { return try made(entity, condition) }
    let areTexts = values.map { $0.type == .text }
    let form = Form(entity: entity, names: equal.map(\.name), areTexts: areTexts)
    let all = values + values.filter { $0.type == .text }
    if let known = searches[form] { return known.with(all) }
    let search = try made(entity, condition)
    if search.values == all { searches[form] = search }
    return search
  }

  private func made(_ entity: String, _ condition: ModelPredicate?) throws -> ScriptedCopy.Search {
    try ScriptedCopy.Search(builder.targetLayout(entity), condition, builder.targetSchema.model)
  }

  /// The attributes and values of a condition that compares nothing but these; nil for another.
  private static func equalities(
    _ condition: ModelPredicate
  ) -> [(name: String, constant: ModelConstant)]? {
    let parts = if case .and(let parts) = condition { parts } else { [condition] }
    var equal: [(name: String, constant: ModelConstant)] = []
    for part in parts {
      guard case .comparison(let comparison) = part, comparison.comparator == .equal,
        comparison.quantifier == .direct, comparison.options.isEmpty,
        case .keyPath(let name) = comparison.left,
        case .constant(let constant) = comparison.right, constant != .null
      else { return nil }
      equal.append((name, constant))
    }
    return equal.isEmpty ? nil : equal
  }

  /// What columns hold for the values; nil where a condition cannot have one of them.
  private mutating func values(
    _ equal: [(name: String, constant: ModelConstant)], _ entity: String
  ) -> [Value]? {
    var values: [Value] = []
    for (name, constant) in equal {
      guard let term = term(PropertyReference(entity, name)),
        let value = try? term.value(constant)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func term(_ attribute: PropertyReference) -> ConditionTerm? {
    if let known = terms[attribute] { return known }
    let model = builder.targetSchema.model
    guard let layout = try? builder.targetLayout(attribute.entity),
      let term = try? ConditionTerm(
        attribute.property, of: layout, in: model, alias: ConditionSQL.alias)
    else { return nil }
    terms[attribute] = term
    return term
  }
}
