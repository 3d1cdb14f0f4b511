package import CoreDataStore

/// Which links travel with the row that holds them, in the statement that copies the row.
///
/// The others have to wait until all objects are there: their keys change, a script makes the
/// objects, or they are stored in another way.
package struct LinkTravel: Sendable {
  /// Which end of a link has it in its row.
  enum Holder: CaseIterable {
    /// The objects that the link's relationship begins at.
    case near
    /// Those that it leads to.
    case far
  }

  private let mapping: Mapping
  private let source: StoreSchema
  private let target: StoreSchema
  private let shared: Set<[PropertyReference?]>
  /// What stands at the ends of links; many links share it.
  private let ends: [LinkEnd.Entities: LinkEnd]
  /// The places of links by the entity of the source whose objects are there.
  private let holders: [String: [Place]]
  /// The objects of a source entity, and of those that inherit from it.
  private let families: [String: [ObjectMapping]]

  /// One end of a link, by the link's place among all.
  private struct Place {
    let link: Int
    let holder: Holder
  }

  /// The links of a mapping between two schemas.
  package init(_ mapping: Mapping, from source: StoreSchema, to target: StoreSchema) {
    self.mapping = mapping
    self.source = source
    self.target = target
    let groups = Dictionary(grouping: mapping.links, by: Self.group)
    shared = Set(groups.filter { $0.value.count > 1 }.keys)
    var ends: [LinkEnd.Entities: LinkEnd] = [:]
    var holders: [String: [Place]] = [:]
    for (place, link) in mapping.links.enumerated() {
      for holder in Holder.allCases {
        guard let entities = LinkEnd.Entities(link, holder, source, target) else { continue }
        holders[entities.source, default: []].append(Place(link: place, holder: holder))
        if ends[entities] == nil {
          ends[entities] = LinkEnd(entities, mapping, from: source, to: target)
        }
      }
    }
    (self.ends, self.holders) = (ends, holders)
    var families: [String: [ObjectMapping]] = [:]
    for object in mapping.objects {
      for name in Self.line(of: object.source, in: source) {
        families[name, default: []].append(object)
      }
    }
    self.families = families
  }

  /// An entity and those it inherits from, the nearest first.
  private static func line(of entity: String, in schema: StoreSchema) -> [String] {
    schema.model.entity(named: entity).map { schema.model.lineage(of: $0).map(\.name) } ?? []
  }

  /// What all links into one relationship of the target have in common.
  static func group(_ link: LinkMapping) -> [PropertyReference?] {
    [link.forward.target, link.backward.target]
  }

  /// The columns that travel with the objects of a mapping, each with its value as an expression
  /// over the source's row, `s`.
  package func columns(of object: ObjectMapping) -> [(column: String, sql: String)] {
    places(of: object).flatMap(\.columns)
  }

  /// Where links stand that travel with the objects of a mapping, each with its columns.
  func places(
    of object: ObjectMapping
  ) -> [(place: LinkPlace, columns: [(column: String, sql: String)])] {
    let places = Self.line(of: object.source, in: source).flatMap { holders[$0] ?? [] }
      .sorted { ($0.link, $0.holder == .far ? 1 : 0) < ($1.link, $1.holder == .far ? 1 : 0) }
    return places.compactMap { place in
      guard let place = self.place(of: mapping.links[place.link], place.holder),
        travels(place, with: object)
      else { return nil }
      return (place, columns(place))
    }
  }

  /// The objects with whose rows the links at an end travel.
  func objects(of link: LinkMapping, _ holder: Holder) -> [ObjectMapping] {
    guard let place = place(of: link, holder) else { return [] }
    return (families[place.own.sourceEntity] ?? []).filter { travels(place, with: $0) }
  }

  /// Whether links that stand in rows of these objects travel with them.
  func travels(_ place: LinkPlace, with object: ObjectMapping) -> Bool {
    travels(place) && !isMadeByScript(object) && place.holds(object, source, target)
  }

  /// Whether a script makes the objects.
  private func isMadeByScript(_ object: ObjectMapping) -> Bool {
    mapping.fate(of: object.source) == .scripted
  }

  private func travels(_ place: LinkPlace) -> Bool {
    place.link.move == .same && !place.link.mayDiscard && place.other.keepsKeys
      && !shared.contains(Self.group(place.link))
  }

  /// One end of a link; nil where the source or the target has none.
  func end(of link: LinkMapping, _ holder: Holder) -> LinkEnd? {
    LinkEnd.Entities(link, holder, source, target).flatMap { ends[$0] }
  }

  /// Where a link stands in rows of one of its ends, before and after.
  func place(of link: LinkMapping, _ holder: Holder) -> LinkPlace? {
    guard let own = end(of: link, holder), let other = end(of: link, holder.opposite) else {
      return nil
    }
    return LinkPlace(link, holder, own, other, from: source, to: target)
  }

  private func columns(_ place: LinkPlace) -> [(column: String, sql: String)] {
    var columns = [(column: place.new.key, sql: "s.\(place.old.key)")]
    if let entity = place.new.entity {
      columns.append((column: entity, sql: entityNumber(place)))
    }
    if let position = place.new.position, place.order == .kept, let old = place.old.position {
      columns.append((column: position, sql: "s.\(old)"))
    }
    return columns
  }

  /// The number of the other object's entity, after that of the source; one that no entity has
  /// stays as it is.
  private func entityNumber(_ place: LinkPlace) -> String {
    guard let old = place.old.entity else {
      let number = place.other.members.first?.target.map(String.init) ?? "NULL"
      return "CASE WHEN s.\(place.old.key) IS NOT NULL THEN \(number) END"
    }
    return place.other.number(after: "s.\(old)")
  }
}

extension LinkTravel.Holder {
  /// The other end.
  var opposite: Self { self == .near ? .far : .near }
}

extension LinkMapping {
  /// Its directions from an end and back to it.
  func directions(from holder: LinkTravel.Holder) -> (there: Direction, back: Direction) {
    holder == .near ? (forward, backward) : (backward, forward)
  }
}
