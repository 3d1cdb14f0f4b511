internal import CoreDataStore
internal import SQLite

/// Looks for values that were given to a script among those of the objects that were made from
/// them.
struct ScriptedValues {
  private let work: LossCount
  private let entity: EntityLayout
  private let targets: [EntityLayout]

  /// More pairs of attributes than this are not tried in one statement.
  private static let most = 400

  init(
    _ work: LossCount, _ entity: EntityLayout, _ course: EntityCourse, _ noted: [Int]
  ) {
    (self.work, self.entity) = (work, entity)
    let schema = work.target.schema
    let own = course.target.flatMap(schema.entity(named:))
    let made = noted.compactMap(schema.entity(number:))
    targets = (made.isEmpty ? [own].compactMap(\.self) : made)
      .sorted { NameOrder.precedes($0.name, $1.name) }
  }

  /// Notes where the values of each attribute are found, all or most of them; `rows` are the
  /// source's rows with those of an entity of the new store.
  func find(_ losses: inout [PropertyLoss], _ rows: (String?) -> String) throws {
    let wanted = losses.indices.filter { losses[$0].fate == .scripted && losses[$0].values > 0 }
    guard !wanted.isEmpty else { return }
    for target in targets {
      let pairs = try wanted.flatMap { place in
        try candidates(losses[place].property, target).map { (place, $0) }
      }.prefix(Self.most)
      guard !pairs.isEmpty else { continue }
      let columns = pairs.map { place, found in
        "count(CASE WHEN \(column(losses[place].property)) IS \(found.column) THEN "
          + "\(found.column) END)"
      }
      let counts =
        try work.connection.rows(
          "SELECT \(columns.joined(separator: ", ")) \(rows(target.name))"
        ).first ?? []
      for ((place, found), count) in zip(pairs, counts) {
        let count = Int(count.integer ?? 0)
        guard count > losses[place].arrived else { continue }
        losses[place].arrived = count
        losses[place].places = [PropertyReference(target.name, found.name)]
      }
    }
  }

  private func column(_ attribute: String) -> String {
    entity.column(named: attribute).map { "s.\(Identifier.quoted($0.name))" } ?? "NULL"
  }

  /// The attributes of the same type, that of the same name first.
  private func candidates(
    _ name: String, _ target: EntityLayout
  ) throws -> [(name: String, column: String)] {
    let type = work.source.schema.model.attribute(name, ofEntity: entity.name)?.type
    let model = work.target.schema.model
    let attributes = model.entity(named: target.name).map(model.allAttributes) ?? []
    return try attributes.filter { $0.type == type }
      .sorted { ($0.name == name ? 0 : 1, $0.name) < ($1.name == name ? 0 : 1, $1.name) }
      .compactMap { attribute in
        try target.column(of: attribute).map { column in
          (attribute.name, "t.\(Identifier.quoted(column.name))")
        }
      }
  }
}
