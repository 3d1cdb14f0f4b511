import CoreDataStore
internal import StoreMigration

/// Finds the conditions of `where` rules that cannot be used.
struct ConditionCheck {
  /// The mistakes.
  let problems: [Problem]

  /// Reads the conditions of a mapping's instructions against the schema they are about.
  ///
  /// A condition over an entity that is not there is told by the mapping.
  init(
    _ conditions: [StageDeclarations.Condition], _ mapping: Mapping, _ schema: StoreSchema,
    file: String
  ) {
    problems = conditions.compactMap { condition in
      let sources = schema.entity(named: condition.entity).map { [$0] }
      let layouts =
        sources
        ?? mapping.objects(into: condition.entity).compactMap { schema.entity(named: $0.source) }
      for layout in layouts {
        do {
          _ = try ConditionSQL(condition.text, layout: layout, model: schema.model)
        } catch {
          return Problem(file: file, line: condition.line, message: "\(error)")
        }
      }
      return nil
    }
  }
}
