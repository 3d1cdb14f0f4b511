/// The statements that are the same in every store, word for word as Core Data writes them.
enum SchemaText {
  /// The table of entity numbers and the highest keys given out.
  static let primaryKeys =
    "CREATE TABLE Z_PRIMARYKEY "
    + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
  /// The table of the store's own properties.
  static let metadata =
    "CREATE TABLE Z_METADATA "
    + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
  /// The table of the store's own model.
  static let modelCache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  /// The names that no entity's table may have.
  static let fixedTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
}
