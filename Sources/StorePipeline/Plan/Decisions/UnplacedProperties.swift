internal import CoreDataStore
internal import StoreMigration

/// The properties of the source that have no place in the target, and those of the target that
/// nothing of the source became, by the entities of the source.
///
/// A model may have a thousand of them: each is found once.
final class UnplacedProperties {
  private let source: Model
  private let target: Model
  private let mapping: Mapping
  /// What the scripts of a file make, by the source's entity.
  private let made: [String: Set<String>]
  private var known = Known()

  init(_ source: Model, _ target: Model, _ mapping: Mapping, claims: [ScriptClaim]) {
    (self.source, self.target, self.mapping) = (source, target, mapping)
    made = Dictionary(claims.map { ($0.entity, $0.attributes) }) { $0.union($1) }
  }

  /// What has been found, by the names of entities.
  private struct Known {
    var names: [String: PlainName] = [:]
    var lost: [String: [AttributeType: [Named<Attribute>]]] = [:]
    var fresh: [String: [AttributeType: [Named<Attribute>]]] = [:]
    var lostLinks: [String: [Named<Relationship>]] = [:]
    var freshLinks: [String: [LinkKind: [Named<Relationship>]]] = [:]
  }

  /// A property, with its name as it is compared.
  final class Named<Item: Property> {
    let item: Item
    let name: String
    let key: PlainName
    let isStored: Bool
    let isDerived: Bool

    init(_ item: Item, _ key: PlainName, isStored: Bool = true, isDerived: Bool = false) {
      (self.item, self.key, name) = (item, key, item.name)
      (self.isStored, self.isDerived) = (isStored, isDerived)
    }
  }

  /// What two relationships have in common where one may have become the other, in words of the
  /// target.
  struct LinkKind: Hashable {
    let isToMany: Bool
    let destination: String
    let inverseIsToMany: Bool?
  }

  /// A name as it is compared.
  func name(_ text: String) -> PlainName {
    if let name = known.names[text] { return name }
    let name = PlainName(text)
    known.names[text] = name
    return name
  }

  func named(_ attribute: Attribute) -> Named<Attribute> {
    Named(
      attribute, name(attribute.name), isStored: attribute.isStored,
      isDerived: attribute.derivation != nil)
  }

  /// The attributes of the source that have no place.
  func lost(of object: ObjectMapping) -> [AttributeType: [Named<Attribute>]] {
    if let lost = known.lost[object.source] { return lost }
    let all = source.entity(named: object.source).map(source.allAttributes) ?? []
    let open = all.filter { object.fate(of: $0.name) == .dropped(isDeclared: false) }
    let lost = Dictionary(grouping: open.map(named), by: \.item.type)
    known.lost[object.source] = lost
    return lost
  }

  func lost(_ name: String, of object: ObjectMapping) -> Named<Attribute>? {
    source.attribute(name, of: object.source)
      .flatMap { lost(of: object)[$0.type]?.sortedFind(name, by: \.name) }
  }

  /// The attributes of the target that no attribute of the source became.
  func fresh(of object: ObjectMapping) -> [AttributeType: [Named<Attribute>]] {
    if let fresh = known.fresh[object.source] { return fresh }
    let all = target.entity(named: object.target).map(target.allAttributes) ?? []
    let open = all.filter { attribute in
      let mapped = object.attribute(named: attribute.name)
      return switch mapped?.origin {
      case .null: true
      case .value: mapped?.rule == .default
      case .script:
        source.attribute(attribute.name, of: object.source) == nil
          && made[object.source]?.contains(attribute.name) != true
      case .source, .derivation, nil: false
      }
    }
    let fresh = Dictionary(grouping: open.map(named), by: \.item.type)
    known.fresh[object.source] = fresh
    return fresh
  }

  /// The relationships of the source that have no place.
  func lostLinks(of entity: String) -> [Named<Relationship>] {
    if let lost = known.lostLinks[entity] { return lost }
    let object = mapping.objects(from: entity)
    let all = source.entity(named: entity).map(source.allRelationships) ?? []
    let lost = all.filter { object?.fate(of: $0.name) == .dropped(isDeclared: false) }
      .map { Named($0, name($0.name)) }
    known.lostLinks[entity] = lost
    return lost
  }

  /// The relationships of the target that none of the source became.
  func freshLinks(of entity: Entity) -> [LinkKind: [Named<Relationship>]] {
    if let fresh = known.freshLinks[entity.name] { return fresh }
    let open = target.allRelationships(of: entity).filter { link in
      guard !link.isTransient,
        let declared = target.relationship(named: link.name, of: entity)?.declaredBy
      else { return false }
      return mapping.links(of: PropertyReference(declared.name, link.name)).allSatisfy {
        $0.forward.source == nil && $0.backward.source == nil
      }
    }
    let named = open.map { Named($0, name($0.name)) }
    let fresh = Dictionary(grouping: named) { kind(ofNew: $0.item) }
    known.freshLinks[entity.name] = fresh
    return fresh
  }

  func kind(of old: Relationship) -> LinkKind? {
    mapping.objects(from: old.destination).map {
      LinkKind(
        isToMany: old.isToMany, destination: $0.target,
        inverseIsToMany: Self.inverse(of: old, source)?.isToMany)
    }
  }

  func kind(ofNew link: Relationship) -> LinkKind {
    LinkKind(
      isToMany: link.isToMany, destination: link.destination,
      inverseIsToMany: Self.inverse(of: link, target)?.isToMany)
  }

  private static func inverse(of link: Relationship, _ model: Model) -> Relationship? {
    link.inverseName.flatMap { model.relationship($0, ofEntity: link.destination) }
  }
}
