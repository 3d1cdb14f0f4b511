internal import SQLite

/// The associations of old and new objects, kept in a file of their own when the store is finished:
/// which of the source's objects an object came from, where keys do not say it.
package enum KeptAssociations {
  private static let schema = "kept"

  /// Writes them; without any there is no file.
  static func keep(of construction: Construction, at path: String) throws {
    let connection = construction.connection
    let table = ConstructionTables.objects
    try StagedFile.remove(path)
    guard try connection.integer("SELECT 1 FROM main.\(table) LIMIT 1") != nil else { return }
    let file = try Connection(path: path, mode: .own(create: true))
    try file.execute(
      """
      CREATE TABLE \(table) (source_entity INTEGER, source INTEGER, entity INTEGER,
      object INTEGER, place INTEGER)
      """)
    try file.close()
    try connection.attach(path, as: schema, .readWrite)
    try connection.execute("INSERT INTO \(schema).\(table) SELECT * FROM main.\(table)")
    try connection.execute(
      "CREATE INDEX \(schema).\(table)_source ON \(table) (source_entity, source, entity, object)")
    try connection.execute(
      "CREATE INDEX \(schema).\(table)_object ON \(table) (entity, object, source_entity, source)")
    try connection.detach(schema)
  }
}
