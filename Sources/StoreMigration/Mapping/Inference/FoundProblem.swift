internal import CoreDataStore

/// A problem with a property, met at an entity that has it, perhaps by inheritance.
struct FoundProblem {
  /// Which model the entity is of.
  enum Side { case source, target }

  /// Which model the entity is of.
  let side: Side
  /// The entity whose objects it concerns.
  let entity: Entity
  let property: String
  let kind: MappingProblem.Kind
  /// The reason; equal for all entities that have the same problem.
  let why: String
  /// What settles it, by the name of the entity.
  let snippet: (String) -> String?

  init(
    _ kind: MappingProblem.Kind, _ side: Side, _ entity: Entity, _ property: String, why: String,
    snippet: @escaping (String) -> String?
  ) {
    (self.kind, self.side, self.entity, self.property) = (kind, side, entity, property)
    (self.why, self.snippet) = (why, snippet)
  }
}

/// Reports a problem once, for the entity that hands the property down to all that have it.
struct FoundProblems {
  private let context: MappingContext
  private let concerned: [Bool: Set<String>]

  init(_ context: MappingContext) {
    self.context = context
    let paired = context.source.entities.filter {
      !$0.isAbstract && context.entities.targets[$0.name] != nil
    }
    concerned = [
      true: Set(paired.map(\.name)),
      false: Set(paired.compactMap { context.entities.targets[$0.name] }),
    ]
  }

  /// The problems as they are reported.
  func reported(_ found: [FoundProblem]) -> [MappingProblem] {
    let groups = Dictionary(grouping: found, by: Self.key)
      .mapValues { Set($0.map(\.entity.name)) }
    return found.map { problem in
      let owner = owner(of: problem, among: groups[Self.key(problem), default: []])
      return MappingProblem(
        problem.kind, "\(owner).\(problem.property)", why: problem.why,
        snippet: problem.snippet(owner))
    }
  }

  /// Equal for problems that can be reported as one: what settles them must be the same, too.
  private static func key(_ problem: FoundProblem) -> [String] {
    [
      problem.side == .source ? "source" : "target", problem.property, problem.why,
      problem.snippet("") ?? "",
    ]
  }

  /// The highest ancestor with the property, all of whose entities have the problem.
  private func owner(of problem: FoundProblem, among names: Set<String>) -> String {
    let model = problem.side == .source ? context.source : context.target
    let all = concerned[problem.side == .source, default: []]
    let owner = model.lineage(of: problem.entity).last { ancestor in
      let has =
        model.attribute(named: problem.property, of: ancestor) != nil
        || model.relationship(named: problem.property, of: ancestor) != nil
      return has
        && model.descendants(of: ancestor).allSatisfy {
          !all.contains($0.name) || names.contains($0.name)
        }
    }
    return owner?.name ?? problem.entity.name
  }
}
