import Formats
import Foundation
import SQLite

/// A store of one entity, `Note`, with three objects.
struct DemoStore {
  let url: URL

  /// Makes the store; one that is there already is replaced.
  func makeAfresh() throws {
    let path = url.path(percentEncoded: false)
    for file in [path, path + "-wal", path + "-shm"]
    where FileManager.default.fileExists(atPath: file) {
      try FileManager.default.removeItem(atPath: file)
    }
    let connection = try Connection(path: path, mode: .own(create: true))
    try connection.transaction {
      try connection.execute(Self.schema)
      try connection.run(
        "INSERT INTO Z_METADATA VALUES (1, ?1, ?2)",
        [.text(UUID().uuidString), .blob(try BinaryPropertyListWriter.write(Self.metadata))])
      for (index, text) in ["Milk", "Bread", "A birthday present"].enumerated() {
        try connection.run(
          "INSERT INTO ZNOTE VALUES (?1, 1, 1, ?2, ?3)",
          [.integer(Int64(index + 1)), .real(Double(index) * 86_400), .text(text)])
      }
      try connection.run("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 3)", [])
    }
    try connection.close()
  }

  /// The tables as Core Data names them.
  private static let schema = """
    CREATE TABLE ZNOTE (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREATED TIMESTAMP, ZTEXT VARCHAR);
    CREATE TABLE Z_PRIMARYKEY (
      Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    """

  private static let metadata = PropertyList.dictionary([
    "NSStoreType": .string("SQLite"),
    "NSStoreModelVersionIdentifiers": .array([.string("1")]),
    "NSPersistenceFrameworkVersion": .integer(1),
  ])
}
