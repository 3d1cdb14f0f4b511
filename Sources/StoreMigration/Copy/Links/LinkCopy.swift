package import CoreDataStore
internal import SQLite

/// Brings over the links that could not travel with their rows, and clears away those that lead to
/// objects which are not in the result.
///
/// It runs when all objects are there. The links of each relationship, with its inverse, are one
/// unit; a killed run resumes behind the last that it committed.
package final class LinkCopy {
  private let builder: StoreBuilder
  private let units: LinkUnits
  private let found: Associations
  private let failure: Failures
  private let endsAtFailures: Bool
  private var connection: Connection { builder.connection }

  /// Why a script failed on an object of the source, with its line; nil where none did.
  package typealias Failures = (_ entity: String, _ key: Int64) throws -> String?

  /// The links of a store that is being built.
  ///
  /// - Parameters:
  ///   - builder: The store.
  ///   - endsAtFailures: Whether an object that must lead to one that a script failed on ends the
  ///     work; if not, it loses the link.
  ///   - failure: Why a script failed on an object.
  package init(
    _ builder: StoreBuilder, endsAtFailures: Bool = true,
    failure: @escaping Failures = { _, _ in nil }
  ) {
    self.builder = builder
    (self.endsAtFailures, self.failure) = (endsAtFailures, failure)
    units = LinkUnits(builder)
    found = Associations(builder.connection)
  }

  /// Does the work; gives back what there was to do, by relationship.
  ///
  /// - Throws: ``Failure`` when an object that must lead to another would lead nowhere.
  package func run(
    progress: (CopyProgress) throws -> Void = { _ in }
  ) throws -> [LinkCount] {
    let units = units.all
    var counts: [LinkCount] = []
    try builder.sharingCommits {
      for (offset, unit) in units.enumerated() {
        let count = try builder.telling("cannot write the links", "\(unit.relationship)") {
          try run(unit)
        }
        if count != LinkCount(relationship: unit.relationship) { counts.append(count) }
        try progress(
          CopyProgress(
            entity: "\(unit.relationship)", rows: offset + 1, total: units.count,
            bytes: try builder.size()))
      }
    }
    return counts
  }

  private func run(_ unit: LinkUnits.Unit) throws -> LinkCount {
    let name = "links \(unit.relationship)"
    if let row = try builder.progress(of: name), row.isDone {
      return LinkCount(relationship: unit.relationship, state: row.state)
    }
    return try builder.unit {
      var count = LinkCount(relationship: unit.relationship)
      try move(unit, &count)
      try clear(unit, &count)
      try number(unit)
      try builder.record(
        ProgressRow(unit: name, rows: count.kept, state: count.state, isDone: true))
      return count
    }
  }
}

// Links that did not travel.
extension LinkCopy {
  private func move(_ unit: LinkUnits.Unit, _ count: inout LinkCount) throws {
    // One to one stands in both rows: the same link is written twice.
    var once = LinkCount(relationship: unit.relationship)
    for gathering in units.gatherings(unit) {
      if let join = try StraightJoin(builder, units, gathering) {
        once.kept += try join.copy()
        continue
      }
      if let join = join(of: gathering) { try builder.giveUp(join) }
      let (link, writing) = (gathering.link, gathering.writing)
      let pairs = try LinkPairs(connection)
      for sql in gathering.readings { try pairs.add(sql) }
      try pairs.removeAssigned(link.forward.target, atFarEnd: false)
      try pairs.removeAssigned(link.backward.target, atFarEnd: true)
      try removeLost(pairs, link, writing, &count)
      if gathering.readings.count > 1 { try pairs.removeRepeated() }
      once.several = max(once.several, try several(pairs, link))
      try narrow(pairs, gathering.links, &count)
      try narrowMerged(pairs, link, writing, &count)
      let kept = try write(pairs, link, writing)
      once.kept = writing.count > 1 ? once.kept + kept : max(once.kept, kept)
    }
    count.several += once.several
    count.kept += once.kept
  }

  /// The table of pairs that links are written into.
  private func join(of gathering: LinkUnits.Gathering) -> JoinTable? {
    let schema = builder.targetSchema
    guard gathering.writing.contains(.joinTable) else { return nil }
    return LinkReading.join(gathering.link.forward.target, in: schema)
      .flatMap { schema.joinTable(named: $0.table) }
  }

  /// How many links lead from or to an object of which a script made several.
  private func several(_ pairs: LinkPairs, _ link: LinkMapping) throws -> Int {
    guard let near = units.end(link, .near), let far = units.end(link, .far),
      near.isMadeByScript || far.isMadeByScript, try found.hasSeveral
    else { return 0 }
    let reading = LinkReading(
      link: link, near: near, far: far, source: builder.sourceSchema,
      target: builder.targetSchema, travelled: [])
    let conditions = [reading.isSeveral(near, "old_a"), reading.isSeveral(far, "old_b")]
      .compactMap(\.self)
    return conditions.isEmpty
      ? 0 : try pairs.count(where: conditions.joined(separator: " OR "))
  }

  private func removeLost(
    _ pairs: LinkPairs, _ link: LinkMapping, _ writing: [LinkPass.Place], _ count: inout LinkCount
  ) throws {
    let isJoin = writing.contains(.joinTable)
    let near = isJoin || writing.contains(.nearColumn)
    let far = isJoin || writing.contains(.farColumn)
    if near, isMandatory(link.forward.target), let lost = try pairs.lost(atFarEnd: true) {
      try refuse(link, .near, own: lost.near, other: lost.far, of: lost.count)
    }
    if far, isMandatory(link.backward.target), let lost = try pairs.lost(atFarEnd: false) {
      try refuse(link, .far, own: lost.far, other: lost.near, of: lost.count)
    }
    count.dangling += try pairs.removeLost(nearIsStored: near, farIsStored: far)
  }

  private func narrow(
    _ pairs: LinkPairs, _ links: [LinkMapping], _ count: inout LinkCount
  ) throws {
    if let direction = links.map(\.forward).first(where: \.narrows) {
      count.discarded += try pairs.narrow(forward: true, direction.keep ?? .first)
    }
    if let direction = links.map(\.backward).first(where: \.narrows) {
      count.discarded += try pairs.narrow(forward: false, direction.keep ?? .first)
    }
  }

  /// Where a script let several objects become one, a column can hold the link of one of them.
  private func narrowMerged(
    _ pairs: LinkPairs, _ link: LinkMapping, _ writing: [LinkPass.Place], _ count: inout LinkCount
  ) throws {
    let ends = [units.end(link, .near), units.end(link, .far)].compactMap(\.self)
    guard ends.contains(where: \.isMadeByScript), try found.hasMerged else { return }
    try pairs.removeRepeated()
    if writing.contains(.nearColumn) { count.discarded += try pairs.narrow(forward: true, .first) }
    if writing.contains(.farColumn) { count.discarded += try pairs.narrow(forward: false, .first) }
  }

  private func write(
    _ pairs: LinkPairs, _ link: LinkMapping, _ writing: [LinkPass.Place]
  ) throws -> Int {
    let schema = builder.targetSchema
    var count = 0
    for place in writing {
      switch place {
      case .nearColumn:
        guard let columns = LinkColumns(link.forward.target, link.backward.target, in: schema)
        else { continue }
        count = max(count, try pairs.write(columns, ofNearEnd: true))
      case .farColumn:
        guard let columns = LinkColumns(link.backward.target, link.forward.target, in: schema)
        else { continue }
        count = max(count, try pairs.write(columns, ofNearEnd: false))
      case .joinTable: count = max(count, try writeJoin(pairs, link))
      }
    }
    return count
  }

  private func writeJoin(_ pairs: LinkPairs, _ link: LinkMapping) throws -> Int {
    let schema = builder.targetSchema
    guard let forward = LinkReading.join(link.forward.target, in: schema),
      let table = schema.joinTable(named: forward.table)
    else { return 0 }
    let backward =
      table.isReflexive ? nil : LinkReading.join(link.backward.target, in: schema)?.position
    return try pairs.write(
      table, near: forward.source, far: forward.destination, forward: forward.position,
      backward: backward, link)
  }
}

// Links that travelled.
extension LinkCopy {
  /// Clears links to objects that were left out, and counts the rest.
  private func clear(_ unit: LinkUnits.Unit, _ count: inout LinkCount) throws {
    var kept = 0
    defer { count.kept += kept }
    for place in units.places(unit) {
      let travelled = units.travelled(place.link, place.holder)
      guard !travelled.isEmpty else { continue }
      let loss = LinkLoss(
        place: place, travelled: travelled, target: builder.targetSchema,
        connection: connection)
      if place.other.mayLose { try clear(place, loss, &count) }
      kept = max(kept, try loss.kept())
    }
  }

  private func clear(_ place: LinkPlace, _ loss: LinkLoss, _ count: inout LinkCount) throws {
    if isMandatory(place.relationship), let first = try loss.first() {
      try refuse(place.link, place.holder, own: first.own, other: first.other, of: first.count)
    }
    count.dangling += try loss.remove()
  }

  /// Gives places in columns to links that had none.
  private func number(_ unit: LinkUnits.Unit) throws {
    let schema = builder.targetSchema
    for link in unit.links {
      if link.backward.order == .numbered,
        let columns = LinkColumns(link.forward.target, link.backward.target, in: schema)
      {
        try LinkOrder.number(columns, connection)
      }
      if link.forward.order == .numbered,
        let columns = LinkColumns(link.backward.target, link.forward.target, in: schema)
      {
        try LinkOrder.number(columns, connection)
      }
    }
  }

  /// Whether an object must have this relationship to one other.
  private func isMandatory(_ reference: PropertyReference?) -> Bool {
    guard let reference,
      let relationship = builder.targetSchema.model.entity(named: reference.entity)?
        .relationship(named: reference.property)
    else { return false }
    return !relationship.isOptional && !relationship.isToMany
  }

  /// Ends the work at the first of some links that must be there and have nothing to lead to.
  private func refuse(
    _ link: LinkMapping, _ holder: LinkTravel.Holder, own: Int64, other: Int64, of count: Int
  ) throws {
    let relationship = (holder == .near ? link.forward : link.backward).target
    let far: LinkTravel.Holder = holder == .near ? .far : .near
    let names = (
      units.end(link, holder)?.sourceEntity ?? "", units.end(link, far)?.sourceEntity ?? ""
    )
    let failure = try failure(names.1, other)
    if failure != nil, !endsAtFailures { return }
    let more = count > 1 ? " So it is with \(count - 1) more of these links." : ""
    throw Failure(
      failure == nil ? .unusable : .no, what: Failure.cannotLink,
      subject: "\(relationship.map(\.description) ?? "") of \(names.0), Z_PK \(own)",
      why: "It must lead to an object, and \(names.1), Z_PK \(other), is not in the result"
        + (failure.map { ", because a script failed on it: \($0)." } ?? ".") + more,
      remedy: failure == nil
        ? "Leave out the objects that lead to it as well, keep it, or make the relationship "
          + "optional in the new model."
        : "Correct the script, leave out the objects that lead to it as well, or make the "
          + "relationship optional in the new model; then give the same command again.")
  }
}

extension Failure {
  /// What a failure says if a link that must be there has nothing to lead to.
  package static let cannotLink = "cannot bring over the links"
}

/// What the associations of old and new objects are like, asked once.
final class Associations {
  private let connection: Connection
  private var answers: [String: Bool] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Whether some object of the source became several.
  var hasSeveral: Bool {
    get throws {
      try ask("SELECT 1 FROM main.\(BuilderTables.objects) WHERE place > 0 LIMIT 1")
    }
  }

  /// Whether several objects of the source became one.
  var hasMerged: Bool {
    get throws {
      try ask(
        """
        SELECT 1 FROM main.\(BuilderTables.objects)
        GROUP BY entity, object HAVING count(*) > 1 LIMIT 1
        """)
    }
  }

  private func ask(_ question: String) throws -> Bool {
    if let answer = answers[question] { return answer }
    let answer = try connection.integer(question) != nil
    answers[question] = answer
    return answer
  }
}

/// What happened to the links of one relationship.
package struct LinkCount: Sendable, Hashable {
  package var relationship: PropertyReference
  /// Links given up because the relationship leads to one object and there were several.
  package var discarded: Int
  /// Links given up because the object at the other end is not in the result.
  package var dangling: Int
  /// Links of objects of which a script made several: the first alone has them.
  package var several: Int
  /// Links that the new store has of the source's, those that travelled with their rows included.
  package var kept: Int

  /// A count in all its parts.
  package init(
    relationship: PropertyReference, discarded: Int = 0, dangling: Int = 0, several: Int = 0,
    kept: Int = 0
  ) {
    self.relationship = relationship
    self.discarded = discarded
    self.dangling = dangling
    self.several = several
    self.kept = kept
  }

  /// The numbers as a progress row keeps them.
  var state: [UInt8] { Array("\(discarded) \(dangling) \(several) \(kept)".utf8) }

  /// A count from a progress row.
  init(relationship: PropertyReference, state: [UInt8]?) {
    let numbers = String(decoding: state ?? [], as: UTF8.self).split(separator: " ")
      .map { Int($0) ?? 0 }
    self.init(relationship: relationship)
    guard numbers.count == 4 else { return }
    (discarded, dangling) = (numbers[0], numbers[1])
    (several, kept) = (numbers[2], numbers[3])
  }
}
