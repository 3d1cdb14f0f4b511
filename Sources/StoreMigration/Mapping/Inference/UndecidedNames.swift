internal import CoreDataStore

/// What a pipeline file lists as undecided, as problems that stay until their names are taken out.
struct UndecidedNames {
  private let context: MappingContext

  init(_ context: MappingContext) { self.context = context }

  /// The problems of a mapping with those that are listed: a name takes the place of the loss, or
  /// of the missing answer, that it is about.
  func deciding(_ problems: [MappingProblem], _ objects: [ObjectMapping]) -> [MappingProblem] {
    let names = context.instructions.undecided.filter { isHere($0.name) }
    guard !names.isEmpty else { return problems }
    let listed = Set(names.map(\.name))
    let inverses = Set(names.compactMap { inverse(of: $0.name) })
    let others = problems.filter { problem in
      problem.kind == .instruction
        || !listed.contains(problem.subject)
          && !(problem.kind == .loss && inverses.contains(problem.subject))
    }
    let subjects = Dictionary(
      problems.lazy.filter { $0.kind != .instruction }.map { ($0.subject, $0) }
    ) { first, _ in first }
    return names.map { name in
      let known = subjects[name.name]
      return MappingProblem(
        .undecided, name.name, why: known?.why ?? why(name.name, objects),
        snippet: known?.snippet, line: name.line)
    } + others
  }

  /// The name of the inverse where both lead to many objects: what is decided about one decides
  /// about both, because they have the same links.
  private func inverse(of name: String) -> String? {
    guard let parts = MappingContext.parts(of: name),
      let link = context.source.relationship(parts.property, ofEntity: parts.entity),
      link.isToMany, let inverse = context.source.inverse(of: link),
      inverse.relationship.isToMany
    else { return nil }
    return "\(inverse.declaredBy.name).\(inverse.relationship.name)"
  }

  /// Whether one of the two versions has it: a file may serve several.
  private func isHere(_ name: String) -> Bool {
    let parts = MappingContext.parts(of: name)
    return [context.source, context.target].contains { model in
      guard let entity = model.entity(named: parts?.entity ?? name) else { return false }
      return parts.map { model.hasProperty($0.property, of: entity) } ?? true
    }
  }

  /// Why a property without a problem of its own may wait: objects would end the run.
  private func why(_ name: String, _ objects: [ObjectMapping]) -> String {
    guard let parts = MappingContext.parts(of: name),
      let entity = context.target.entity(named: parts.entity)
    else { return MappingProblem.saidAlready }
    let reasons = [
      mandatory(parts.property, of: entity, objects), unique(parts.property, of: entity),
    ].compactMap(\.self)
    return reasons.isEmpty ? MappingProblem.saidAlready : reasons.joined(separator: " ")
  }

  /// That objects need a value, or another object.
  private func mandatory(
    _ property: String, of entity: Entity, _ objects: [ObjectMapping]
  ) -> String? {
    if let link = context.target.relationship(named: property, of: entity)?.relationship,
      !link.isOptional
    {
      return "It is mandatory, and objects without \(link.destination.withArticle) end the run."
    }
    guard let attribute = context.target.attribute(named: property, of: entity)?.attribute,
      !attribute.isOptional, attribute.defaultValue == nil
    else { return nil }
    let heirs = Set(context.target.descendants(of: entity).map(\.name))
    let own = objects.filter { heirs.contains($0.target) && !$0.isAbstract }
    guard own.isEmpty || !own.allSatisfy({ wasMandatory(property, $0) }) else { return nil }
    let isNew = own.contains { $0.attribute(named: property)?.origin == .null }
    return isNew
      ? "It is mandatory, and nothing gives it a value."
      : "It is mandatory, and objects without a value end the run."
  }

  /// Whether the attribute that gives it its values had to have one before.
  private func wasMandatory(_ property: String, _ object: ObjectMapping) -> Bool {
    guard case .source(let old, _)? = object.attribute(named: property)?.origin,
      let entity = context.source.entity(named: object.source)
    else { return false }
    return context.source.attribute(named: old, of: entity)?.attribute.isOptional == false
  }

  /// That no two objects may have the same.
  private func unique(_ property: String, of entity: Entity) -> String? {
    context.target.lineage(of: entity).flatMap(\.uniquenessConstraints)
      .first { $0.contains(property) }
      .map { names in
        "\(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are together") unique, "
          + "and objects that have the same end the run."
      }
  }
}

extension Model {
  /// Whether an entity has a property of this name, or a composite attribute with such parts.
  fileprivate func hasProperty(_ name: String, of entity: Entity) -> Bool {
    attribute(named: name, of: entity) != nil || relationship(named: name, of: entity) != nil
      || !parts(of: name, in: entity).isEmpty
  }
}
