/// How much of the links of the next version the views of a preflight show.
struct PreflightLinks {
  /// What is to be seen of a relationship.
  enum Sight: Hashable {
    /// Every link, as it is going to be.
    case whole
    /// Every link, those to objects that are left out among them; they lead to this table.
    case lossy(table: String)
    /// Something that is not as it is going to be.
    case none
  }

  private let source: StoreSchema
  private let target: StoreSchema
  private let mapping: Mapping
  private let claims: PreflightClaims

  init(
    _ source: StoreSchema, _ target: StoreSchema, _ mapping: Mapping, _ claims: PreflightClaims
  ) {
    (self.source, self.target, self.mapping, self.claims) = (source, target, mapping, claims)
  }

  /// What is to be seen of a relationship of the target.
  func sight(of reference: PropertyReference) -> Sight {
    let links = mapping.links(of: reference)
    guard !claims.links, links.count == 1, let link = links.first else { return .none }
    if link.move == .empty { return .whole }
    let isForward = link.forward.target == reference
    let (near, far) = isForward ? (link.forward, link.backward) : (link.backward, link.forward)
    guard link.move == .same, !link.mayDiscard, let own = end(near, far),
      let other = end(far, near), own.keepsKeys, other.keepsKeys
    else { return .none }
    return own.mayLose || other.mayLose ? .lossy(table: other.sourceTable) : .whole
  }

  /// The relationship of the source that one of the target has its links from.
  func origin(of reference: PropertyReference) -> PropertyReference? {
    ObjectPath.links(of: reference, [mapping]).first
  }

  private func end(_ near: LinkMapping.Direction, _ far: LinkMapping.Direction) -> LinkEnd? {
    LinkEnd(
      source: near.source, far.source, target: near.target, far.target, mapping: mapping,
      from: source, to: target)
  }
}
