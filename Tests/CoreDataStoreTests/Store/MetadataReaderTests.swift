import CoreDataStore
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Reading the metadata", .temporaryFolder) struct MetadataReaderTests {
  @Test(
    "a Z_METADATA that is no single row with a UUID and a property list is refused",
    arguments: [
      "DELETE FROM Z_METADATA", "INSERT INTO Z_METADATA VALUES (2, 'x', x'00')",
      "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = 'text'",
      "UPDATE Z_METADATA SET Z_UUID = NULL", "UPDATE Z_METADATA SET Z_UUID = x'07'",
      "UPDATE Z_METADATA SET Z_UUID = ''", "UPDATE Z_METADATA SET Z_PLIST = zeroblob(20000000)",
      "UPDATE Z_METADATA SET Z_PLIST = randomblob(1000)", "UPDATE Z_METADATA SET Z_PLIST = x''",
      "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, length(Z_PLIST) / 2)",
      "DROP TABLE Z_METADATA", "ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO Z_LIST",
      "DROP TABLE Z_METADATA; CREATE VIEW Z_METADATA AS SELECT 1 AS Z_UUID, 2 AS Z_PLIST",
    ])
  func wrongRows(sql: String) throws {
    let error = StoreSample.error(opening: try StoreSample.make { try $0.execute(sql) })
    #expect(error?.kind == .unusable)
    #expect(error?.subject.contains("a.sqlite") == true)
  }

  @Test("a property list that unfolds into more than any is refused")
  func bomb() throws {
    // Each level holds the one below it ten times: ten thousand million strings.
    var objects: [[UInt8]] = [[0x51, 0x41]]
    for level in 0..<10 { objects.append([0xAA] + [UInt8](repeating: UInt8(level), count: 10)) }
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = bytes.count
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count - 1)]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    let path = try StoreSample.make { store in
      try store.run("UPDATE Z_METADATA SET Z_PLIST = ?1", [.blob(bytes)])
    }
    let error = StoreSample.error(opening: path)
    #expect(error?.why.contains("too many values") == true)
  }

  @Test("an SQLite database of something else is distinguished from a damaged store")
  func notCoreData() throws {
    let path = samplePath("b.sqlite")
    let other = try Connection(path: path, mode: .own(create: true))
    try other.execute("CREATE TABLE t (a)")
    try other.close()
    #expect(StoreSample.error(opening: path)?.kind == .notCoreData)
  }
}
