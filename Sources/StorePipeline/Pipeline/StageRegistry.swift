/// The stages a pipeline file may name: a visible list, and a value.
public struct StageRegistry: Sendable {
  /// Kinds of which the names are known, and nothing else before one is asked for.
  private struct Later: Sendable {
    var names: [String]
    let all: @Sendable () -> [StageKind]

    var kinds: [StageKind] { all().filter { names.contains($0.name) } }
  }

  private var first: [StageKind] = []
  private var later: Later?
  private var last: [StageKind]

  /// A list of stages; of several with one name the last counts.
  init(kinds: [StageKind]) {
    last = kinds.indices.filter { index in
      !kinds[(index + 1)...].contains { $0.name == kinds[index].name }
    }.map { kinds[$0] }
  }

  /// The stages, in the order they are listed.
  public var kinds: [StageKind] { first + (later?.kinds ?? []) + last }

  /// The names of the stages; no stage is made for them.
  var names: [String] {
    first.map(\.name) + (later?.names ?? []) + last.map(\.name)
  }

  /// The same list with more stages, which take the places of those with their names.
  func with(_ more: [StageKind]) -> StageRegistry {
    var list = more.reduce(self) { $0.without($1.name) }
    list.last += StageRegistry(kinds: more).last
    return list
  }

  /// The same list, which has no others made so far, with stages that are made when one of them is
  /// asked for; they have these names.
  func with(_ names: [String], madeBy all: @escaping @Sendable () -> [StageKind]) -> StageRegistry {
    var list = StageRegistry(kinds: [])
    (list.first, list.later) = (last, Later(names: names, all: all))
    return list
  }

  /// The same list without a stage.
  public func without(_ name: String) -> StageRegistry {
    var list = self
    list.first.removeAll { $0.name == name }
    list.later?.names.removeAll { $0 == name }
    list.last.removeAll { $0.name == name }
    return list
  }

  /// The descriptions, in the order of the list.
  public var descriptions: [StageDescription] { kinds.map(\.description) }

  /// The description of a stage.
  public subscript(name: String) -> StageDescription? { kind(named: name)?.description }

  /// A stage.
  public func kind(named name: String) -> StageKind? {
    let isNamed = { (kind: StageKind) in kind.name == name }
    if let found = first.first(where: isNamed) ?? last.first(where: isNamed) { return found }
    return later?.names.contains(name) == true ? later?.kinds.first(where: isNamed) : nil
  }

  /// The first stage that is as it is wanted.
  func first(where isWanted: (StageDescription) -> Bool) -> StageDescription? {
    first.lazy.map(\.description).first(where: isWanted) ?? descriptions.first(where: isWanted)
  }

  /// What the stages of a pipeline declare.
  func declarations(of pipeline: Pipeline) -> StageDeclarations {
    declarations(of: pipeline.stages.map(\.stage))
  }

  /// What stages declare together, in their order.
  func declarations(of stages: [PipelineStage]) -> StageDeclarations {
    stages.reduce(into: StageDeclarations()) { declarations, written in
      kind(named: written.name)?.stage(written).declare(written, in: &declarations)
    }
  }
}
