internal import CoreDataStore

/// Which entity of the source became which of the target, by the file first and then by inference.
struct EntityPairing {
  /// The target entity of each source entity that has one.
  private(set) var targets: [String: String] = [:]
  /// The source entities of each target entity that has some, by name.
  private(set) var sources: [String: [String]] = [:]
  /// The source entities that a `map` of the file brings to their target.
  private(set) var mapped: Set<String> = []
  /// The source entities that the file drops.
  let dropped: Set<String>
  /// What the file says twice, in different ways.
  private(set) var problems: [MappingProblem] = []

  private var renamed: Set<String> = []

  /// Pairs two models' entities; names that are not there have no effect.
  init(from source: Model, to target: Model, _ instructions: MappingInstructions) {
    dropped = Set(instructions.drops.map(\.name).filter { source.entity(named: $0) != nil })
    claim(source, target, instructions)
    infer(source, target)
    sources = Dictionary(grouping: targets.keys) { targets[$0] ?? "" }
      .mapValues { $0.sortedByName() }
  }

  private mutating func claim(
    _ source: Model, _ target: Model, _ instructions: MappingInstructions
  ) {
    var owners: [String: String] = [:]
    for rename in instructions.renames {
      guard let name = rename.newName, target.entity(named: name) != nil else { continue }
      let owner = owners[name].flatMap { $0 == rename.entity ? nil : $0 }
      guard source.entity(named: rename.entity) != nil,
        mayClaim(rename.entity, for: name, owner: owner, line: rename.line)
      else { continue }
      renamed.insert(rename.entity)
      targets[rename.entity] = name
      owners[name] = rename.entity
    }
    for map in instructions.maps {
      guard let name = map.source, source.entity(named: name) != nil,
        target.entity(named: map.entity) != nil,
        mayClaim(name, for: map.entity, owner: nil, line: map.line)
      else { continue }
      mapped.insert(name)
      targets[name] = map.entity
    }
  }

  /// A target that a rename gives away is taken; a map only adds to what is found.
  private mutating func infer(_ source: Model, _ target: Model) {
    let taken = Set(renamed.compactMap { targets[$0] })
    let match = RenamingMatch(
      source: source.entities.filter { targets[$0.name] == nil && !dropped.contains($0.name) }
        .map { RenamingMatch.Tag(name: $0.name, identifier: $0.renamingIdentifier) },
      target: target.entities.filter { !taken.contains($0.name) }
        .map { RenamingMatch.Tag(name: $0.name, identifier: $0.renamingIdentifier) })
    targets.merge(match.targets) { first, _ in first }
    report(match.ambiguousSources, "source entity", source)
    report(match.ambiguousTargets, "destination entity", target)
  }

  /// Core Data refuses entities that it cannot tell apart.
  private mutating func report(_ names: Set<String>, _ kind: String, _ model: Model) {
    for entity in model.entities where names.contains(entity.name) {
      let others = model.entities.filter {
        $0.name != entity.name && $0.renamingName == entity.renamingName
      }
      let why = InferenceRules.ambiguity(kind, among: others.map(\.name))
      problems.append(
        MappingProblem(
          .notInferable, entity.name, why: why.prefix(1).uppercased() + why.dropFirst() + ".",
          snippet: SnippetText.rename(entity.renamingName, to: entity.name)))
    }
  }

  private mutating func mayClaim(
    _ source: String, for target: String, owner: String?, line: Int?
  ) -> Bool {
    let why: String
    if dropped.contains(source) {
      why = "The file drops it and also makes it \(target): it can do one of them."
    } else if let other = targets[source], other != target {
      why =
        "It cannot become both \(other) and \(target); a script can make two objects of one."
    } else if let owner {
      why =
        "\(owner) becomes \(target) already. To bring both there, write: "
        + SnippetText.map(target, from: source)
    } else {
      return true
    }
    problems.append(MappingProblem(.instruction, source, why: why, line: line))
    return false
  }

  /// The entities of the source that a name in the file means: one of the source, or what became
  /// one of the target.
  func sources(named name: String, in source: Model) -> [Entity] {
    if let entity = source.entity(named: name) { return [entity] }
    return sources[name, default: []].compactMap(source.entity(named:))
  }

  /// The rule that pairs a source entity with its target.
  func rule(of source: String) -> MappingRule {
    let isSame = targets[source] == source
    if isSame { return .same }
    return renamed.contains(source) || mapped.contains(source)
      ? .renamedInFile : .renamedByIdentifier
  }
}
