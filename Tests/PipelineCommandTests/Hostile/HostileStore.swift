import Foundation
import StoreTestSupport
import Testing

/// A store made to do harm, or that is damaged, and how `run` ends on it.
struct HostileStore: Sendable, CustomTestStringConvertible {
  /// What is wrong with it.
  let name: String
  /// Does it to the Notes sample's store.
  let spoil: @Sendable (_ store: String) throws -> Void
  /// The statuses that `run` may end with.
  let statuses: Set<Int32>
  /// A word of the message.
  let word: String

  var testDescription: String { name }

  /// A store that is refused.
  static func refused(
    _ name: String, saying word: String = "", _ spoil: @escaping @Sendable (String) throws -> Void
  ) -> Self {
    Self(name: name, spoil: spoil, statuses: [3], word: word)
  }

  /// A store whose data can be saved; with a word, `run` warns.
  static func saved(
    _ name: String, saying word: String = "", _ spoil: @escaping @Sendable (String) throws -> Void
  ) -> Self {
    Self(name: name, spoil: spoil, statuses: [0], word: word)
  }

  /// A store whose data breaks the rules of the model.
  static func invalid(
    _ name: String, saying word: String = "", _ spoil: @escaping @Sendable (String) throws -> Void
  ) -> Self {
    Self(name: name, spoil: spoil, statuses: [0, 1, 3], word: word)
  }

  /// Changes the bytes of a file.
  static func edit(_ path: String, _ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    body(&bytes)
    try bytes.write(to: URL(filePath: path))
  }

  /// A query without an end.
  static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i"

  /// All of them.
  static let all = schemas + files + metadata + rows
}

// What is in the schema.
extension HostileStore {
  private static let schemas: [HostileStore] = [
    refused("a view without an end for a table", saying: "ZNOTE") {
      try SampleStore.change(
        $0, by: "DROP TABLE ZNOTE; CREATE VIEW ZNOTE AS \(endless) AS Z_PK, i AS Z_ENT FROM n")
    },
    refused("a view without an end for the metadata", saying: "Z_METADATA") {
      try SampleStore.change(
        $0,
        by: "DROP TABLE Z_METADATA; CREATE VIEW Z_METADATA AS \(endless) AS Z_VERSION FROM n")
    },
    refused("a computed column", saying: "computed") {
      try SampleStore.change($0, by: "ALTER TABLE ZNOTE ADD COLUMN ZX AS (Z_PK * 2)")
    },
    saved("a trigger that empties the table") {
      try SampleStore.change(
        $0,
        by: """
          CREATE TRIGGER ZT AFTER INSERT ON ZFOLDER BEGIN DELETE FROM ZNOTE; END;
          CREATE TRIGGER ZU AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZNOTE; END
          """)
    },
    saved("a view beside the tables") {
      try SampleStore.change($0, by: "CREATE VIEW ZEXTRA AS \(endless) FROM n")
    },
    refused("a table that is missing", saying: "ZTAG") {
      try SampleStore.change($0, by: "DROP TABLE ZTAG")
    },
    refused("a column that is missing") {
      try SampleStore.change(
        $0, by: "ALTER TABLE ZTAG RENAME TO ZOLD; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY)")
    },
  ]
}

// What the files are.
extension HostileStore {
  private static let files: [HostileStore] = [
    refused("an empty file", saying: "empty") { try Data().write(to: URL(filePath: $0)) },
    refused("one byte", saying: "SQLite") { try Data([83]).write(to: URL(filePath: $0)) },
    refused("noise", saying: "ncrypted") { store in
      try edit(store) { bytes in bytes = Data(bytes.indices.map { UInt8($0 * 167 % 251) }) }
    },
    refused("half of the file", saying: "cut off") { store in
      try edit(store) { $0.removeLast($0.count / 2) }
    },
    refused("a length that is no multiple of the page size", saying: "multiple") { store in
      try edit(store) { $0.append(contentsOf: [1, 2, 3]) }
    },
    refused("a header that speaks of more pages", saying: "cut off") { store in
      try edit(store) { $0.replaceSubrange(28..<32, with: [0, 1, 0, 0]) }
    },
    refused("pages of noise") { store in
      try edit(store) { bytes in
        for index in 4096..<bytes.count { bytes[index] = UInt8(index * 31 % 253) }
      }
    },
    refused("a folder for a -wal", saying: "next to") {
      try FileManager.default.createDirectory(
        atPath: $0 + "-wal", withIntermediateDirectories: false)
    },
    refused("a link for a -journal", saying: "next to") {
      try FileManager.default.createSymbolicLink(
        atPath: $0 + "-journal", withDestinationPath: $0)
    },
    refused("a journal that has another file deleted", saying: "journal") { store in
      let victim = store + "-victim"
      try Data("precious".utf8).write(to: URL(filePath: victim))
      try superJournal(victim).write(to: URL(filePath: store + "-journal"))
    },
    refused("a second name of the file", saying: "a hard link") {
      try FileManager.default.linkItem(atPath: $0, toPath: $0 + "-other")
    },
    refused("a link for the folder of large values", saying: "_SUPPORT") { store in
      let folder = URL(filePath: store).deletingLastPathComponent()
      let elsewhere = folder.appending(path: "elsewhere")
      try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: ".Notes_SUPPORT"), withDestinationURL: elsewhere)
    },
  ]

  /// A journal with one page and, at its end, the name of a super-journal (SQLite, pager.c,
  /// writeSuperJournal).
  private static func superJournal(_ victim: String) -> Data {
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let name = Array(victim.utf8)
    var bytes = magic + number(0) + number(0) + number(1) + number(512) + number(4096)
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    bytes += number(0x4000_0000 / 4096 + 1) + name + number(name.count)
    bytes += number(name.reduce(0) { $0 + Int($1) }) + magic
    return Data(bytes)
  }
}

// What is in the metadata.
extension HostileStore {
  private static let metadata: [HostileStore] = [
    refused("no metadata", saying: "Z_METADATA") {
      try SampleStore.change($0, by: "DELETE FROM Z_METADATA")
    },
    refused("no table of metadata", saying: "Z_METADATA") {
      try SampleStore.change($0, by: "DROP TABLE Z_METADATA")
    },
    refused("metadata that are no property list", saying: "etadata") {
      try SampleStore.setMetadata($0, Array("no plist".utf8))
    },
    refused("metadata of entities that grow", saying: "etadata") {
      let entities = (1...9).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);&a\($0 - 1);\">" }
      try SampleStore.setMetadata(
        $0,
        Array(
          """
          <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a0 "aaaaaaaaaaaaaaaaaaaaaaaa">
          \(entities.joined())]><plist version="1.0"><dict><key>&a9;</key><true/></dict></plist>
          """.utf8))
    },
    refused("metadata of a hundred thousand levels", saying: "etadata") {
      let depth = 100_000
      let text =
        "<plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</plist>"
      try SampleStore.setMetadata($0, Array(text.utf8))
    },
    refused("metadata of twenty million bytes", saying: "etadata") {
      try SampleStore.setMetadata($0, [UInt8](repeating: 32, count: 20_000_000))
    },
  ]
}

// What is in the rows.
extension HostileStore {
  private static let rows: [HostileStore] = [
    refused("no table of keys", saying: "Z_PRIMARYKEY") {
      try SampleStore.change($0, by: "DROP TABLE Z_PRIMARYKEY")
    },
    refused("an entity without a number", saying: "Note") {
      try SampleStore.change($0, by: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'")
    },
    saved("highest keys that are too low") {
      try SampleStore.change($0, by: "UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    },
    invalid("objects of an entity that is not there") {
      try SampleStore.change($0, by: "UPDATE ZNOTE SET Z_ENT = 99 WHERE Z_PK = 2")
    },
    saved("a link to an object that is not there", saying: "1 object against the rule") {
      try SampleStore.change($0, by: "UPDATE ZNOTE SET ZFOLDER = 77 WHERE Z_PK = 1")
    },
    saved("a pair of a join with an object that is not there", saying: "Note") {
      try SampleStore.change($0, by: "INSERT INTO Z_2TAGS VALUES (3, 77)")
    },
    invalid("no value where one is mandatory") {
      try SampleStore.change($0, by: "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 1")
    },
    invalid("a text where a date belongs") {
      try SampleStore.change($0, by: "UPDATE ZNOTE SET ZCREATED = 'yesterday' WHERE Z_PK = 1")
    },
    invalid("bytes where a text belongs") {
      try SampleStore.change($0, by: "UPDATE ZNOTE SET ZTITLE = x'00ff00ff' WHERE Z_PK = 1")
    },
    invalid("a key that is no number") {
      try SampleStore.change($0, by: "UPDATE ZNOTE SET ZFOLDER = 'x' WHERE Z_PK = 1")
    },
  ]
}

// What is long: each takes seconds.
extension HostileStore {
  static let long: [HostileStore] = [
    refused("more than a hundred million bytes", saying: "Z_PK 3") {
      try SampleStore.change(
        $0,
        by: "UPDATE ZNOTE SET ZTEXT = zeroblob(100000001) WHERE Z_PK = 3")
    },
    saved("ninety million bytes") {
      try SampleStore.change(
        $0,
        by: "UPDATE ZNOTE SET ZTEXT = zeroblob(90000000) WHERE Z_PK = 2")
    },
  ]
}
