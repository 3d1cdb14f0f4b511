internal import CoreDataStore

/// The columns in an object's own row that hold one of its links.
struct LinkColumns: Hashable {
  let table: String
  /// The column with the other object's Z_PK.
  let key: String
  /// The column with the other object's Z_ENT.
  let entity: String?
  /// The column with this object's place among those that lead to the other one.
  let position: String?

  /// The columns of a relationship, or where none leads away from the row, of one to many without
  /// an inverse that leads to it.
  init?(_ near: PropertyReference?, _ far: PropertyReference?, in schema: StoreSchema) {
    if let near, let layout = schema.entity(named: near.entity),
      case .toOne(let storage) = layout[near.property]
    {
      table = layout.table
      key = storage.key.name
      entity = storage.entity?.name
      position = storage.position?.name
    } else if near == nil, let far,
      case .toMany(let storage) = schema.entity(named: far.entity)?[far.property]
    {
      table = storage.table
      key = storage.key.name
      entity = nil
      position = storage.position?.name
    } else {
      return nil
    }
  }
}
