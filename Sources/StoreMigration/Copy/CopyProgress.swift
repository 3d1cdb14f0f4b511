/// How far the objects of one entity, or another unit of work, have come.
package struct CopyProgress: Sendable, Hashable {
  /// The source entity's name.
  package var entity: String
  /// The rows that have been looked at.
  package var rows: Int
  /// The rows there are.
  package var total: Int
  /// The bytes that the new store has grown by.
  package var bytes: Int

  /// Progress in all its parts.
  package init(entity: String, rows: Int, total: Int, bytes: Int) {
    self.entity = entity
    self.rows = rows
    self.total = total
    self.bytes = bytes
  }
}
