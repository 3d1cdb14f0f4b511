import CoreDataStore
internal import StoreMigration

/// The rows of a store that name no entity in Z_ENT: those of a table with one entity are its
/// objects, as Core Data reads them, and others are lost.
struct StrayRows {
  private let model: Model
  private let mapping: Mapping
  private let data: SourceData

  init(_ model: Model, _ mapping: Mapping, _ data: SourceData) {
    (self.model, self.mapping, self.data) = (model, mapping, data)
  }

  /// The entities that have such rows in a table of their own.
  var numbered: Set<String> { Set(roots.filter(isAlone).map(\.name)) }

  /// The tables whose rows would be lost, unless that is given up by name, or all entities of the
  /// table are.
  func problems(accepting instructions: MappingInstructions, line: Int) -> [MappingProblem] {
    roots.filter { !isAlone($0) && !isGivenUp($0, instructions) }.map { root in
      let rows = data.strays(of: root.name) == 1 ? "row names" : "rows name"
      return MappingProblem(
        .loss, "\(root.name).\(MappingInstructions.strays)",
        why: "\(data.strays(of: root.name)) \(rows) no entity in Z_ENT that has objects in the "
          + "table, so nothing can carry them.", line: line)
    }
  }

  private var roots: [Entity] {
    model.entities.filter { $0.parent == nil && data.strays(of: $0.name) > 0 }
  }

  private func isAlone(_ root: Entity) -> Bool {
    model.descendants(of: root).count == 1 && !root.isAbstract
  }

  private func isGivenUp(_ root: Entity, _ instructions: MappingInstructions) -> Bool {
    let names = [root.name, mapping.objects(from: root.name)?.target].compactMap(\.self)
      .map { "\($0).\(MappingInstructions.strays)" }
    if instructions.acceptedLosses.contains(where: { names.contains(where: $0.matches) }) {
      return true
    }
    return model.descendants(of: root).filter { !$0.isAbstract }
      .allSatisfy { mapping.fate(of: $0.name) == .dropped(isDeclared: true) }
  }
}
