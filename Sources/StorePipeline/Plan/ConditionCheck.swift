import CoreDataStore
internal import StoreMigration

/// Finds the conditions of `where` rules that cannot be used.
struct ConditionCheck {
  /// The mistakes.
  let problems: [Problem]

  /// Reads the conditions of a mapping's instructions against the schema they are about.
  ///
  /// A condition over an entity that is not there is told by the mapping.
  init(_ stages: [PipelineStage], _ mapping: Mapping, _ schema: StoreSchema, file: String) {
    let rules = stages.flatMap(\.rules).filter { $0.name == "where" }
    problems = rules.compactMap { rule in
      guard let name = rule["entity"]?.text, let condition = rule["condition"]?.text else {
        return nil
      }
      let sources = schema.entity(named: name).map { [$0] }
      let layouts =
        sources ?? mapping.objects(into: name).compactMap { schema.entity(named: $0.source) }
      for layout in layouts {
        do {
          _ = try ConditionSQL(condition, layout: layout, model: schema.model)
        } catch {
          return Problem(file: file, line: rule.line(of: "condition"), message: "\(error)")
        }
      }
      return nil
    }
  }
}
