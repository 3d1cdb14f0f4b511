internal import CoreDataStore
internal import StoreMigration

/// Finds out where it is said that something of the source may go.
struct LossSources {
  private let plan: Plan
  private let rejected: [String: Int]
  /// What each step drops, and what it accepts the loss of.
  private let given: [(drops: NamedInstructions, losses: NamedInstructions)]

  /// `rejected` counts the rejected objects of each entity.
  init(_ plan: Plan, rejected: [String: Int]) {
    (self.plan, self.rejected) = (plan, rejected)
    given = plan.steps.map { step in
      let instructions = step.declarations.instructions
      return (NamedInstructions(instructions.drops), NamedInstructions(instructions.acceptedLosses))
    }
  }

  /// What was counted, with where it is said.
  func report(_ losses: [PropertyLoss]) -> LossReport {
    LossReport(
      losses.map { loss in
        LossReport.Line(
          loss, declared: loss.lost > 0 ? declared(loss) : nil, note: note(loss))
      })
  }

  private func note(_ loss: PropertyLoss) -> String? {
    if !loss.isCountedHere { return "counted with its inverse" }
    guard !loss.isRelationship, loss.fate != .scripted,
      let script = scripts(of: loss.entity).first, !script.outline.makesObjects,
      loss.fate == .dropped, loss.values > 0
    else { return nil }
    return "\(script.path) never reads it"
  }

  /// The scripts that are given the objects of an entity, in any step.
  private func scripts(of entity: String) -> [PlannedScript] {
    zip(plan.steps, names(of: entity)).flatMap { step, name in
      step.scripts.filter { $0.entity == name && $0.outline.needsLua }
    }
  }

  private func names(of entity: String) -> [String] {
    EntityCourse.names(of: entity, through: plan.steps.map(\.mapping))
  }

  private func declared(_ loss: PropertyLoss) -> String? {
    // A permission causes no loss: it is named where nothing else is.
    first(loss) { cause($0, $1, loss, in: $2) } ?? left(loss)
      ?? first(loss) { permission($0, $1, in: $2) }
  }

  /// What is found first for a property, by the names that it has on its way.
  private func first(
    _ loss: PropertyLoss, _ find: (String, String, Int) -> String?
  ) -> String? {
    var name = loss.property
    for (number, entity) in zip(plan.steps.indices, names(of: loss.entity)) {
      if let place = find(entity, name, number) { return place }
      let step = plan.steps[number]
      name =
        step.mapping.objects(from: entity)?.attributes
        .first { $0.source == name }.map(\.name) ?? name
    }
    return nil
  }

  /// What kept the object itself, or the other end of the link, from travelling.
  private func left(_ loss: PropertyLoss) -> String? {
    guard loss.gone > 0 else { return nil }
    let ends = [loss.entity] + (destination(loss).map { [$0] } ?? [])
    if ends.contains(where: { rejected[$0, default: 0] > 0 }) { return "rejected" }
    return ends.lazy.flatMap(scripts).first.map { "left out by \($0.path)" }
  }

  /// The entity that a relationship leads to.
  private func destination(_ loss: PropertyLoss) -> String? {
    guard let model = plan.steps.first?.from, let entity = model.entity(named: loss.entity) else {
      return nil
    }
    return model.relationship(named: loss.property, of: entity)?.relationship.destination
  }

  /// Where the step of a number says that a property goes, or the objects that have it.
  private func cause(
    _ entity: String, _ property: String, _ loss: PropertyLoss, in number: Int
  ) -> String? {
    let step = plan.steps[number]
    let instructions = step.declarations.instructions
    let names = owners(of: entity, in: step.from)
    let wanted = Self.names(names, property, step.from)
    if let drop = given[number].drops.first(matching: wanted) { return place(drop.line) }
    let choice = instructions.choices.first { wanted.contains($0.relationship) }
    if let choice, loss.isRelationship { return place(choice.line) }
    let far = destination(loss).map { owners(of: $0, in: step.from) } ?? []
    let filter = instructions.filters.first { (names + far).contains($0.entity) }
    if let filter, loss.gone > 0 { return "where, \(place(filter.line))" }
    let map = instructions.maps.first { map in
      loss.changed > 0 && map.attributes.values.contains { $0.isConversion(of: property) }
    }
    if let map { return "convert, \(place(map.line))" }
    if let stage = revision(entity, property, loss, in: step) {
      return "\(stage.stage), \(place(stage.line))"
    }
    return nil
  }

  /// Where the step of a number, or the command, says that a property may go.
  private func permission(
    _ entity: String, _ property: String, in number: Int
  ) -> String? {
    let step = plan.steps[number]
    let wanted = Self.names(owners(of: entity, in: step.from), property, step.from)
    if let loss = given[number].losses.first(matching: wanted) { return place(loss.line) }
    return isGivenUp(entity, property, in: step) ? "--accept-loss" : nil
  }

  /// The stage that may have done it after the copy: taken out an object, or changed a value.
  private func revision(
    _ entity: String, _ property: String, _ loss: PropertyLoss, in step: PlannedStep
  ) -> PlannedRevision? {
    let ends = [entity] + (destination(loss).map { [$0] } ?? [])
    let targets = ends.compactMap { step.mapping.objects(from: $0)?.target ?? $0 }
    return step.revisions.first { stage in
      if loss.gone > 0, !stage.entities.isDisjoint(with: targets) { return true }
      let name = loss.places.last?.property ?? property
      let touches = StageTouches(stage.touches, step.to)
      return loss.changed + loss.emptied > 0 && targets.contains { touches.has(name, of: $0) }
    }
  }

  /// Whether the mapping takes it for given up; what no file says, a flag has said.
  private func isGivenUp(_ entity: String, _ property: String, in step: PlannedStep) -> Bool {
    let given = MappingFate.dropped(isDeclared: true)
    return step.mapping.objects(from: entity)?.fate(of: property) == given
      || step.mapping.fate(of: entity) == given
  }

  private func place(_ line: Int?) -> String {
    line.map { "\(plan.pipeline.file):\($0)" } ?? plan.pipeline.file
  }

  /// An entity and those it inherits from.
  private func owners(of entity: String, in model: Model) -> [String] {
    guard let found = model.entity(named: entity) else { return [entity] }
    return model.lineage(of: found).map(\.name)
  }

  /// The names by which a property may be given up: its own, its entity's, and its inverse's.
  private static func names(_ entities: [String], _ property: String, _ model: Model) -> [String] {
    var names = entities + entities.map { "\($0).\(property)" }
    for entity in entities {
      guard
        let relationship = model.entity(named: entity)
          .flatMap({ model.relationship(named: property, of: $0)?.relationship }),
        let inverse = relationship.inverseName
      else { continue }
      names.append("\(relationship.destination).\(inverse)")
      names.append(relationship.destination)
    }
    return names
  }
}

extension EntityMap.Value {
  fileprivate func isConversion(of attribute: String) -> Bool {
    if case .convert(attribute, _) = self { true } else { false }
  }
}
