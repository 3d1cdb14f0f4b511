internal import CoreDataStore

/// How much of the links of the next version the views of a preflight show.
struct PreflightLinks {
  /// What is to be seen of a relationship.
  enum Sight: Hashable {
    /// Every link, as it is going to be.
    case whole
    /// Every link, those to objects that are left out among them.
    case lossy
    /// Something that is not as it is going to be.
    case none
  }

  private let steps: [PreflightStep]

  init(_ steps: [PreflightStep]) { self.steps = steps }

  /// What is to be seen of a relationship of the last target.
  func sight(of reference: PropertyReference) -> Sight { sight(of: reference, steps[...]) }

  private func sight(
    of reference: PropertyReference, _ steps: ArraySlice<PreflightStep>
  ) -> Sight {
    guard let step = steps.last else { return .whole }
    let links = step.mapping.links(of: reference)
    guard !step.claims.links, links.count == 1, let link = links.first else { return .none }
    if link.move == .empty { return .whole }
    let holder: LinkTravel.Holder = link.forward.target == reference ? .near : .far
    guard link.move == .same, !link.mayDiscard,
      let source = link.directions(from: holder).there.source,
      let own = step.pair.travel.end(of: link, holder),
      let other = step.pair.travel.end(of: link, holder.opposite), own.keepsKeys, other.keepsKeys
    else { return .none }
    let before = sight(of: source, steps.dropLast())
    guard before == .whole else { return before }
    return own.mayLose || other.mayLose ? .lossy : .whole
  }

  /// The relationship to one, of an entity of the last step's source, that one of its target has
  /// its links from; nil where objects of other entities alone have such links.
  func origin(of reference: PropertyReference, from entity: String) -> PropertyReference? {
    guard let last = steps.last else { return nil }
    let model = last.source.model
    let lineage = model.entity(named: entity).map(model.lineage) ?? []
    return ObjectPath.links(of: reference, [last.mapping]).first { link in
      lineage.contains { $0.name == link.entity }
        && model.relationship(link.property, ofEntity: link.entity)?.isToMany == false
    }
  }

  /// The table of the first source with the objects that links of a relationship lead to.
  func destination(of reference: PropertyReference) -> String? {
    guard let first = steps.first,
      let origin = ObjectPath.links(of: reference, steps.map(\.mapping)[...]).first,
      let found = first.source.model.relationship(origin.property, ofEntity: origin.entity)
    else { return nil }
    return first.source.entity(named: found.destination)?.table
  }
}
