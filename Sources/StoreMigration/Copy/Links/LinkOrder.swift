internal import CoreDataStore
internal import SQLite

/// Places for objects that had none, as Core Data gives them when a relationship becomes ordered.
///
/// They are no numbers of their own, but keys that are there.
enum LinkOrder {
  /// The place of an object at the end of a pair, an expression over the columns of ``LinkPairs``.
  ///
  /// A table of pairs that becomes ordered takes the object's key. Links that stood in a column
  /// take the key of the object whose row they stood in, and in the other direction "the constant
  /// 2000". Where both ends had a column, that of the relationship which names the table counts.
  static func place(in table: JoinTable, _ link: LinkMapping, isForward: Bool) -> String {
    let key = isForward ? "b" : "a"
    switch link.sourceStorage {
    case .joinTable, nil: return key
    case .farColumn: return isForward ? key : constant
    case .ownColumn: return isForward ? constant : key
    case .bothColumns: return isForward == (table.master == link.forward.target) ? constant : key
    }
  }

  private static let constant = "2000"

  /// Gives places to the rows of a table that have an owner and no place: the owner's key.
  static func number(_ columns: LinkColumns, _ connection: Connection) throws {
    guard let position = columns.position else { return }
    try connection.run(
      """
      UPDATE main.\(columns.table) SET \(position) = \(columns.key)
      WHERE \(columns.key) IS NOT NULL AND \(position) IS NULL
      """, [])
  }
}
