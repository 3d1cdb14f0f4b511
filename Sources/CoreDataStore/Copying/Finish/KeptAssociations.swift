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
    try file.execute(Self.table("main.\(table)"))
    try file.close()
    try connection.attach(path, as: schema, .readWrite)
    try connection.execute("INSERT INTO \(schema).\(table) SELECT * FROM main.\(table)")
    try connection.execute(indexes(in: schema))
    try connection.detach(schema)
  }

  /// The statement that makes the table, under this name.
  static func table(_ name: String) -> String {
    """
    CREATE TABLE \(name) (source_entity INTEGER, source INTEGER, entity INTEGER,
    object INTEGER, place INTEGER)
    """
  }

  /// The statements that make the table's indexes in a database of this name.
  static func indexes(in database: String) -> String {
    let table = ConstructionTables.objects
    return """
      CREATE INDEX \(database).\(table)_source ON \(table) (source_entity, source, entity, object);
      CREATE INDEX \(database).\(table)_object ON \(table) (entity, object, source_entity, source)
      """
  }
}
