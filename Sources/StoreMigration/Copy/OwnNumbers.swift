package import CoreDataStore
internal import SQLite

/// Gives rows their entity's number where a table has one entity, in a copy that only a run reads.
///
/// Core Data reads every row of such a table as an object of the entity, whatever its Z_ENT is; all
/// that reads the copy may look at Z_ENT then, as in any other table.
package enum OwnNumbers {
  /// Mends the tables of these entities.
  ///
  /// - Parameters:
  ///   - entities: Those with such rows, by name.
  ///   - path: The copy, which no other connection has open.
  ///   - schema: Its tables.
  /// - Returns: Whether there was anything to correct.
  /// - Throws: ``Failure`` naming the table.
  @discardableResult
  package static func give(
    to entities: Set<String>, in path: String, _ schema: StoreSchema
  ) throws -> Bool {
    let layouts = entities.sorted().compactMap(schema.entity(named:)).filter(\.isAlone)
    guard !layouts.isEmpty else { return false }
    // A copy that a kill leaves half-way is not the one that the state names: it is made again.
    var mode = OpenMode.foreignWritable
    mode.durability = .off
    var table = ""
    do {
      let connection = try Connection(path: path, mode: mode)
      defer { try? connection.close() }
      for layout in layouts {
        table = layout.table
        try connection.run(
          "UPDATE \(Identifier.quoted(table)) SET Z_ENT = ?1 WHERE Z_ENT IS NOT ?1",
          [.integer(Int64(layout.number))])
      }
      return true
    } catch {
      throw Failure(
        error, what: "cannot number the rows of the copy", subject: "\(path), \(table)")
    }
  }
}
