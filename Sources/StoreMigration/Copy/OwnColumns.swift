internal import CoreDataStore
internal import SQLite

/// The columns of a table, by the entities that have them.
///
/// A family of a thousand entities has as many columns, and each object a value in few of them.
struct OwnColumns {
  private let table: EntityTable
  private let schema: StoreSchema
  /// The columns of properties, with their places in the table, by the entity that declares them.
  private var declared: [String: [(place: Int, column: StoreColumn)]] = [:]
  /// Those that any object may have.
  private var common: [(place: Int, column: StoreColumn)] = []

  init(_ table: EntityTable, _ schema: StoreSchema) {
    (self.table, self.schema) = (table, schema)
    for (place, column) in table.columns.enumerated() {
      switch column.role {
      // The property of an owner's column is one of another entity.
      case .primaryKey, .entityNumber, .saveCounter, .owner, .ownerPosition:
        common.append((place, column))
      case .attribute(let property), .toOne(let property), .destinationEntity(let property),
        .position(let property):
        declared[property.entity, default: []].append((place, column))
      }
    }
  }

  /// The columns in which objects of an entity may have something, in the order of the table.
  func columns(of layout: EntityLayout) -> [StoreColumn] {
    let model = schema.model
    let lineage = model.entity(named: layout.name).map(model.lineage) ?? []
    let own = lineage.flatMap { declared[$0.name] ?? [] }
    return (common + own).sorted { $0.place < $1.place }.map(\.column)
  }

  /// The numbers of the entities with an object, in `main`, that has a value of an attribute which
  /// only other entities have.
  func strangers(_ connection: Connection) throws -> Set<Int64> {
    let values = declared.keys.sorted().compactMap { name -> String? in
      guard let family = schema.entity(named: name)?.family, name != table.root else { return nil }
      let filled = (declared[name] ?? []).compactMap { _, column -> String? in
        guard case .attribute = column.role else { return nil }
        return "\(Identifier.quoted(column.name)) IS NOT NULL"
      }
      return ConditionTranslation.joined(filled[...], by: "OR").map {
        "Z_ENT NOT BETWEEN \(family.lowerBound) AND \(family.upperBound) AND (\($0))"
      }
    }
    guard let condition = ConditionTranslation.joined(values[...], by: "OR") else { return [] }
    let rows = try connection.rows(
      "SELECT DISTINCT Z_ENT FROM main.\(Identifier.quoted(table.name)) WHERE \(condition)")
    return Set(rows.compactMap { $0[0].integer })
  }
}
