import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

/// Two stores of which one was built from the other, and a change to the newer one.
@Suite("What a verification finds", .temporaryFolder)
struct StepVerificationTests {
  private static let file = "11111111-2222-4333-8444-555555555555"

  private static func model(_ more: String = "") -> String {
    """
    <entity name="A">
    <attribute name="n" optional="YES" attributeType="Integer 16"/>
    <attribute name="big" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>\(more)
    <relationship name="one" optional="YES" maxCount="1" destinationEntity="B" \
    inverseName="many" inverseEntity="B"/>
    <relationship name="pairs" optional="YES" toMany="YES" destinationEntity="B" \
    inverseName="others" inverseEntity="B"/></entity>
    <entity name="B">
    <relationship name="many" optional="YES" toMany="YES" destinationEntity="A" \
    inverseName="one" inverseEntity="A"/>
    <relationship name="others" optional="YES" toMany="YES" destinationEntity="A" \
    inverseName="pairs" inverseEntity="A"/></entity>
    """
  }

  /// The first object has a large value in a file, a link to one and a link to many.
  private static func sample(adding rows: String) throws -> LinkSample {
    let more = #"<attribute name="m" optional="YES" attributeType="String"/>"#
    return try LinkSample(model(), model(more)) { store, schema in
      for key in Int64(1)...2 { try LinkSample.insert(store, schema, "B", key) }
      let reference = try #require(ExternalReference(file))
      try LinkSample.insert(
        store, schema, "A", 1,
        ["ZN": .integer(5), "ZONE": .integer(1), "ZBIG": .blob(reference.stored)])
      try LinkSample.insert(store, schema, "A", 2, ["ZN": .integer(6)])
      let join = try #require(schema.joinTables.first)
      try store.execute("INSERT INTO \(join.name) VALUES (1, 1);" + rows)
    }
  }

  /// Migrates the sample, changes the new store, and compares.
  ///
  /// `mirror` is the SQL that gives the source a mirror to CloudKit.
  private static func differences(
    _ change: String = "", file content: String = "picture", mirror: String = "",
    since: SavedSince? = nil
  ) throws -> [String] {
    for name in ["source.sqlite", "next.sqlite"] {
      try? FileManager.default.removeItem(atPath: samplePath(name))
    }
    let sample = try sample(adding: mirror)
    for (folder, text) in [("external", "picture"), ("new", content)] {
      let folder = samplePath(folder)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(file)"))
    }
    let builder = try sample.copied()
    _ = try LinkCopy(builder).run()
    var choices = FinishChoices()
    choices.carriesMirror = !mirror.isEmpty
    _ = try StoreFinish(builder, choices).run()
    let connection = try Connection(path: samplePath("next.sqlite"), mode: .own(create: false))
    try connection.execute(change)
    try connection.close()
    let (old, new) = (sample.source, sample.target)
    let result = try StepVerification(
      of: VerifiedStore(
        path: samplePath("source.sqlite"), schema: old, externalFolders: [samplePath("external")]),
      and: VerifiedStore(
        path: samplePath("next.sqlite"), schema: new, externalFolders: [samplePath("new")]),
      sample.mapping, carriesMirror: choices.carriesMirror, since: since
    ).run()
    #expect(result.count == result.differences.count)
    return result.differences.map { "\($0.kind) \($0.entity) \($0.key) \($0.property)" }
  }

  @Test("is nothing where the new store is what the source becomes") func same() throws {
    #expect(try Self.differences() == [])
  }

  /// Each change, and what is found of it.
  private static let changes: [(sql: String, found: String)] = [
    ("DELETE FROM ZA WHERE Z_PK = 2", "missing A 2 "),
    ("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (9, 1, 1)", "extra A 9 "),
    ("UPDATE ZA SET ZN = 7 WHERE Z_PK = 2", "value A 2 n"),
    ("UPDATE ZA SET ZN = '5' || char(0) WHERE Z_PK = 1", "value A 1 n"),
    ("UPDATE ZA SET ZN = NULL WHERE Z_PK = 1", "value A 1 n"),
    ("UPDATE ZA SET Z_OPT = 7 WHERE Z_PK = 2", "value A 2 Z_OPT"),
    ("UPDATE ZA SET ZONE = 2 WHERE Z_PK = 1", "link A 1 one"),
    ("UPDATE ZA SET ZONE = NULL WHERE Z_PK = 1", "link A 1 one"),
    ("UPDATE ZA SET ZBIG = x'0102' WHERE Z_PK = 1", "value A 1 big"),
  ]

  @Test("is each change of an object, by its kind and place", arguments: changes)
  func object(sql: String, found: String) throws {
    #expect(try Self.differences(sql) == [found])
  }

  @Test("is each pair of a relationship to many that is missing, or one too many")
  func pairs() throws {
    let schema = try StoreSchema(of: MappingModels.model(Self.model(), name: "1"))
    let join = try #require(schema.joinTables.first)
    for sql in ["DELETE FROM \(join.name)", "INSERT INTO \(join.name) VALUES (2, 2)"] {
      let found = try Self.differences(sql)
      #expect(found.count == 1 && found[0].hasPrefix("link "), "\(sql): \(found)")
    }
  }

  @Test("is a large value whose file holds something else") func file() throws {
    #expect(try Self.differences(file: "another") == ["blob A 1 big"])
  }

  @Test("is distinguished from what an application did after the run: newer keys, deleted objects")
  func since() throws {
    let since = SavedSince(highestKeys: ["A": 2, "B": 2])
    let insertion = "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (9, 1, 1)"
    #expect(try Self.differences(insertion, since: since) == ["made A 9 "])
    #expect(
      try Self.differences("DELETE FROM ZA WHERE Z_PK = 2", since: since) == ["deleted A 2 "])
  }

  @Test("is an object that has lost its CloudKit record, or has got one")
  func records() throws {
    let mirror =
      MirrorTablesSample.tables + MirrorTablesSample.record(1, entity: 1, object: 1)
      + MirrorTablesSample.record(2, entity: 2, object: 2)
    let loss = "DELETE FROM ANSCKRECORDMETADATA WHERE Z_PK = 1"
    let gain = "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 1 WHERE Z_PK = 2"
    #expect(try Self.differences(mirror: mirror) == [])
    #expect(try Self.differences(loss, mirror: mirror) == ["record A 1 "])
    #expect(
      try Self.differences(gain, mirror: mirror).sorted() == ["record B 1 ", "record B 2 "])
  }

  @Test("is no CloudKit record that an application added after the run, but each that is gone")
  func recordsSince() throws {
    let mirror = MirrorTablesSample.tables + MirrorTablesSample.record(1, entity: 1, object: 1)
    let since = SavedSince(highestKeys: ["A": 2, "B": 2])
    let more = MirrorTablesSample.record(2, entity: 1, object: 2)
    #expect(try Self.differences(more, mirror: mirror, since: since) == [])
    #expect(
      try Self.differences("DROP TABLE ANSCKRECORDMETADATA", mirror: mirror, since: since)
        == ["record A 1 "])
  }

  /// Changes of a table that three entities share, with what is found of each.
  ///
  /// `last` is the key of one more object: where it is high, no look is taken at the table first.
  private static let changesOfFamily: [(sql: String, last: Int64, found: [String])] = [
    ("", 4, []), ("", 4_000, []),
    ("UPDATE ZROOT SET ZD = 7 WHERE Z_PK = 1", 4, ["value C 1 d"]),
    ("UPDATE ZROOT SET ZD = 7 WHERE Z_PK = 1", 4_000, ["value C 1 d"]),
    ("UPDATE ZROOT SET ZD = 7, ZN = 3 WHERE Z_PK = 1", 4, ["value C 1 d", "value C 1 n"]),
    ("UPDATE ZROOT SET ZD = 7 WHERE Z_PK < 4", 4, ["value C 1 d", "value D 2 d", "value E 3 d"]),
    ("UPDATE ZROOT SET ZE = 7 WHERE Z_PK = 1", 4, ["value C 1 e"]),
    ("UPDATE ZROOT SET ZC = 7 WHERE Z_PK = 3", 4, ["value E 3 c"]),
    ("UPDATE ZROOT SET ZC = 7 WHERE Z_PK = 3", 4_000, ["value E 3 c"]),
  ]

  @Test(
    "is each value in a column of another entity of the same table", arguments: changesOfFamily)
  func family(sql: String, last: Int64, found: [String]) throws {
    func entity(_ name: String, _ more: String, _ attributes: String...) -> String {
      let list = attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 16\"/>"
      }
      return "<entity name=\"\(name)\" \(more)>\(list.joined())</entity>"
    }
    // What inherits from D has its column as well.
    let children =
      entity("C", "parentEntity=\"Root\"", "c") + entity("D", "parentEntity=\"Root\"", "d")
      + entity("E", "parentEntity=\"D\"", "e")
    let sample = try LinkSample(
      entity("Root", "isAbstract=\"YES\"", "n") + children,
      entity("Root", "isAbstract=\"YES\"", "m", "n") + children
    ) { store, schema in
      try LinkSample.insert(store, schema, "C", 1, ["ZC": .integer(5), "ZN": .integer(1)])
      try LinkSample.insert(store, schema, "D", 2, ["ZD": .integer(6), "ZN": .integer(1)])
      try LinkSample.insert(store, schema, "E", 3, ["ZD": .integer(6), "ZE": .integer(8)])
      try LinkSample.insert(store, schema, "E", last, ["ZD": .integer(6), "ZE": .integer(8)])
    }
    let builder = try sample.copied()
    _ = try LinkCopy(builder).run()
    _ = try StoreFinish(builder, FinishChoices()).run()
    let connection = try Connection(path: samplePath("next.sqlite"), mode: .own(create: false))
    try connection.execute(sql)
    try connection.close()
    let result = try StepVerification(
      of: VerifiedStore(
        path: samplePath("source.sqlite"), schema: sample.source, externalFolders: []),
      and: VerifiedStore(
        path: samplePath("next.sqlite"), schema: sample.target, externalFolders: []),
      sample.mapping
    ).run()
    let differences = result.differences.map { "\($0.kind) \($0.entity) \($0.key) \($0.property)" }
    #expect(differences.sorted() == found)
  }

  /// What differs from a twin, in which the SQL has changed something.
  private static func twin(_ change: String) throws -> VerificationResult {
    let next = samplePath("next.sqlite"), twin = samplePath("twin.sqlite")
    try? FileManager.default.removeItem(atPath: twin)
    try FileManager.default.copyItem(atPath: next, toPath: twin)
    let connection = try Connection(path: twin, mode: .own(create: false))
    try connection.execute(change)
    try connection.close()
    let more = #"<attribute name="m" optional="YES" attributeType="String"/>"#
    let schema = try StoreSchema(of: MappingModels.model(Self.model(more), name: "2"))
    return try TwinComparison(
      of: VerifiedStore(path: next, schema: schema, externalFolders: []),
      with: VerifiedStore(path: twin, schema: schema, externalFolders: []),
      .attributes(["A": ["n"]])
    ).run()
  }

  @Test("is what a script makes otherwise now, and what it never makes twice")
  func scripts() throws {
    #expect(try Self.differences() == [])
    let result = try Self.twin("UPDATE ZA SET ZN = 8 WHERE Z_PK = 1")
    #expect(result.differences == [VerificationDifference(.script, "A", 1, "n")])
    #expect(result.unrepeated(result).differences == result.differences)
    for other in ["UPDATE ZA SET ZN = 9 WHERE Z_PK = 1", "UPDATE ZA SET ZN = 8 WHERE Z_PK = 2", ""]
    {
      #expect(result.unrepeated(try Self.twin(other)).differences.map(\.kind) == [.unrepeated])
    }
    let missing = try Self.twin("DELETE FROM ZA WHERE Z_PK = 2")
    #expect(missing.differences == [VerificationDifference(.extra, "A", 2)])
    #expect(missing.unrepeated(missing).differences == missing.differences)
    #expect(missing.unrepeated(result).differences.map(\.kind) == [.unrepeated])
  }
}
