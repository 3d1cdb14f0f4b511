internal import CoreDataStore

/// Finds where objects of several tables come together in one, so that their keys collide.
struct RootMerge {
  /// The source entities whose objects need new keys.
  private(set) var renumbered: Set<String> = []
  /// The merges that nobody asked for.
  private(set) var problems: [MappingProblem] = []

  init(_ context: MappingContext) {
    for root in context.target.roots {
      let entities = context.target.descendants(of: root)
        .flatMap { context.entities.sources[$0.name, default: []] }
        .compactMap(context.source.entity(named:))
      let families = Dictionary(grouping: entities) { context.source.root(of: $0).name }
      guard families.count > 1 else { continue }
      merge(families, into: root.name, context.entities)
    }
  }

  /// One family keeps its keys: one that inference brought, or the root's own, or the first.
  private mutating func merge(
    _ families: [String: [Entity]], into root: String, _ pairing: EntityPairing
  ) {
    let names = families.keys.sorted()
    let inferred = names.filter { name in
      families[name, default: []].contains { !pairing.mapped.contains($0.name) }
    }
    let candidates = inferred.isEmpty ? names : inferred
    let keeper = candidates.first { pairing.targets[$0] == root } ?? candidates.first
    for name in names where name != keeper {
      renumbered.formUnion(families[name, default: []].map(\.name))
    }
    guard inferred.count > 1 else { return }
    let missing = inferred.filter { $0 != keeper }.flatMap { families[$0, default: []] }
      .filter { !pairing.mapped.contains($0.name) }.map(\.name).sorted()
    problems.append(
      MappingProblem(
        .notInferable, root,
        why: "Core Data cannot merge \(names.joined(separator: " and ")), which had tables of "
          + "their own, into the table of \(root). Said in so many words it can be done; the "
          + "objects then get new keys.",
        snippet: missing.map { SnippetText.map(pairing.targets[$0] ?? root, from: $0) }
          .joined(separator: ", ")))
  }
}
