import CoreDataStore
import StoreMigration
import StorePipeline
import StoreTestSupport

/// The objects of a step that no script touches, in the source and in what was made of it.
struct CopiedRows {
  private let source: String
  private let made: String
  private let step: PlannedStep

  /// What was made of a store by a plan of one step.
  init(_ source: String, _ made: String, _ step: PlannedStep) {
    (self.source, self.made, self.step) = (source, made, step)
  }

  /// What an object mapping should have carried over as it is, and did not.
  func faults() throws -> [String] {
    try step.mapping.objects.filter { !$0.isAbstract && $0.conditions.isEmpty }.flatMap(faults)
  }

  private func faults(_ object: ObjectMapping) throws -> [String] {
    guard let before = step.sourceSchema.entity(named: object.source),
      let after = step.targetSchema.entity(named: object.target)
    else { return ["\(object.source) has no table"] }
    let pairs = columns(object, before, after)
    let old = try rows(pairs.map(\.before), before, at: source)
    let new = try rows(pairs.map(\.after), after, at: made)
    let name = "\(object.source): \(pairs.count) columns of \(old.count) objects"
    return old == new ? [] : ["\(name) are not those of \(new.count) in \(object.target)"]
  }

  /// The columns that must be equal: keys, counters, attributes that nothing converts, links to one
  /// object that stay where they were, with their order.
  private func columns(
    _ object: ObjectMapping, _ before: EntityLayout, _ after: EntityLayout
  ) -> [(before: String, after: String)] {
    var pairs = [("Z_PK", "Z_PK"), ("Z_OPT", "Z_OPT")]
    for attribute in object.attributes {
      guard case .source(let name, nil) = attribute.origin, attribute.storage == .none,
        attribute.replacement == nil, case .attribute(let from) = before[name],
        case .attribute(let to) = after[attribute.name]
      else { continue }
      pairs.append((from.name, to.name))
    }
    for link in step.mapping.links where link.move == .same {
      for end in [link.forward, link.backward] {
        guard let old = end.source, let new = end.target,
          case .toOne(let from) = before[old.property], case .toOne(let to) = after[new.property]
        else { continue }
        pairs.append((from.key.name, to.key.name))
        if let from = from.position, let to = to.position { pairs.append((from.name, to.name)) }
      }
    }
    return pairs
  }

  private func rows(_ columns: [String], _ entity: EntityLayout, at path: String) throws -> [String]
  {
    try StoreRows.read(
      """
      SELECT \(columns.joined(separator: ", ")) FROM \(entity.table)
      WHERE Z_ENT = \(entity.number) ORDER BY Z_PK
      """, at: path)
  }
}
