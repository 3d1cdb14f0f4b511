internal import CoreDataStore

/// The links of a mapping, those of one relationship of the target together, and how each is read.
struct LinkUnits {
  /// The links into one relationship of the target, with its inverse.
  struct Unit {
    let relationship: PropertyReference
    /// The links, several where entities are merged.
    let links: [LinkMapping]
  }

  /// Links that are read, to be written into the same places.
  struct Gathering {
    let writing: [LinkPass.Place]
    let links: [LinkMapping]
    /// The statements that read them into ``LinkPairs``.
    let readings: [String]

    /// The link that stands for all of them in what they have in common.
    var link: LinkMapping { links[0] }
  }

  private let pair: any StorePair
  private var travel: LinkTravel { pair.travel }

  /// The links between two stores.
  init(_ pair: any StorePair) { self.pair = pair }

  var all: [Unit] {
    let links = pair.mapping.links.filter { $0.sourceStorage != nil }
    return Dictionary(grouping: links, by: LinkTravel.group).values.compactMap { links in
      let name = links.first.flatMap { $0.forward.target ?? $0.backward.target }
      return name.map { Unit(relationship: $0, links: links) }
    }.sorted { $0.relationship < $1.relationship }
  }

  /// What has to be read of a unit, because it did not travel, those into fewer places first.
  func gatherings(_ unit: Unit) -> [Gathering] {
    var readings: [[LinkPass.Place]: [(link: LinkMapping, sql: String)]] = [:]
    for link in unit.links {
      for pass in LinkPass.passes(of: link, to: pair.targetSchema) {
        guard let sql = reading(link, pass)?.sql(pass.reading) else { continue }
        readings[pass.writing, default: []].append((link, sql))
      }
    }
    return readings.sorted { $0.key.count < $1.key.count }.map { writing, readings in
      Gathering(writing: writing, links: readings.map(\.link), readings: readings.map(\.sql))
    }
  }

  /// How a pass reads the links; nil when all of them have travelled.
  private func reading(_ link: LinkMapping, _ pass: LinkPass) -> LinkReading? {
    guard let near = end(link, .near), let far = end(link, .far) else { return nil }
    var travelled: Set<Int> = []
    if pass.reading != .joinTable {
      let holder = pass.reading == .nearColumn ? near : far
      travelled = self.travelled(link, pass.reading == .nearColumn ? .near : .far)
      if holder.members.allSatisfy({ travelled.contains($0.source) }) { return nil }
    }
    return LinkReading(
      link: link, near: near, far: far, source: pair.sourceSchema, target: pair.targetSchema,
      travelled: travelled)
  }

  func end(_ link: LinkMapping, _ holder: LinkTravel.Holder) -> LinkEnd? {
    travel.end(of: link, holder)
  }

  /// The numbers of the source entities whose rows took the links along.
  func travelled(_ link: LinkMapping, _ holder: LinkTravel.Holder) -> Set<Int> {
    Set(
      travel.objects(of: link, holder).compactMap {
        pair.sourceSchema.entity(named: $0.source)?.number
      })
  }

  /// The numbers of the target entities to whose rows they came.
  func travelledTargets(_ link: LinkMapping, _ holder: LinkTravel.Holder) -> [Int] {
    travel.objects(of: link, holder).compactMap {
      pair.targetSchema.entity(named: $0.target)?.number
    }
  }

  /// Where the links of a unit stand in rows, before and after.
  func places(_ unit: Unit) -> [LinkPlace] {
    unit.links.flatMap { link in
      LinkTravel.Holder.allCases.compactMap { travel.place(of: link, $0) }
    }
  }
}
