package import CoreDataStore
package import Formats
internal import Foundation
package import SQLite
internal import TestSupport
internal import Testing

/// Small stores made for a test, without Core Data.
package enum StoreSample {
  /// A model with one entity of each kind of attribute that matters.
  package static func model() throws -> Model {
    var person = Entity(name: "Person")
    var picture = Attribute(name: "picture", type: .binary)
    picture.usesExternalStorage = true
    person.attributes = [Attribute(name: "name", type: .string), picture]
    return try Model(name: "Sample", entities: [person], versionIdentifiers: ["1"])
  }

  /// The entries of a store's property list.
  package static func metadata(of model: Model) -> [String: PropertyList] {
    let hashes = VersionHashes(of: model).entities
    return [
      "NSStoreModelVersionHashes": .dictionary(hashes.mapValues { .data($0.bytes) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map(PropertyList.string)),
      "NSStoreType": .string("SQLite"), "NSPersistenceFrameworkVersion": .integer(1344),
      "_NSAutoVacuumLevel": .string("2"),
    ]
  }

  package static let uuid = "5C8F6C6B-4C7B-4F0D-9C44-3E0F5E6A7B10"

  /// The tables that every store has.
  package static let fixedTables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
    Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    """

  package static let personTable = """
    CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZNAME VARCHAR, ZPICTURE BLOB);
    """

  /// A store with three persons; `edit` does to it what the test is about.
  @discardableResult
  package static func make(
    _ name: String = "a.sqlite", entries: [String: PropertyList]? = nil,
    journal: String = "DELETE", _ edit: (Connection) throws -> Void = { _ in }
  ) throws -> String {
    let path = samplePath(name)
    var mode = OpenMode.own(create: true)
    mode.durability = .off
    let store = try Connection(path: path, mode: mode)
    try store.execute("PRAGMA journal_mode = \(journal); " + fixedTables + personTable)
    try store.execute("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 3)")
    try store.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
      INSERT INTO ZPERSON SELECT i, 1, 1, printf('name %d', i), NULL FROM n
      """, [])
    let plist = try BinaryPropertyListWriter.write(
      .dictionary(entries ?? metadata(of: try model())))
    try store.run("INSERT INTO Z_METADATA VALUES (1, ?1, ?2)", [.text(uuid), .blob(plist)])
    try edit(store)
    try store.close()
    return path
  }

  /// The error that opening, recognising and surveying a store ends with.
  package static func error(opening path: String) -> Failure? {
    do {
      let store = try Store(path)
      _ = try store.facts(store.recognise())
      return nil
    } catch {
      return error as? Failure
    }
  }
}
