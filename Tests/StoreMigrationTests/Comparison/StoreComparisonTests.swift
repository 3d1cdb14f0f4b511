import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Comparison of two stores", .temporaryFolder)
struct StoreComparisonTests {
  @Test("a store is the same as its copy") func same() throws {
    let (lines, difference) = try ComparisonSample().compare()
    #expect(lines == [])
    #expect(difference.isSame)
    #expect(difference.entities.map(\.name) == ["Box", "Item", "Tag"])
    #expect(difference.entities.map(\.kept) == [2, 3, 2])
  }

  static let planted: [(sql: String, line: String)] = [
    ("UPDATE ZITEM SET ZNAME = 'mug' WHERE Z_PK = 1", "changed Item 1: name 'cup' -> 'mug'"),
    ("UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK = 1", "changed Item 1: name 'cup' -> nil"),
    ("UPDATE ZITEM SET ZCOUNT = 5 WHERE Z_PK = 2", "changed Item 2: count nil -> 5"),
    (
      "UPDATE ZITEM SET ZSIZE = 2.5000000000000004 WHERE Z_PK = 2",
      "changed Item 2: size 2.5 -> 2.5000000000000004"
    ),
    (
      "UPDATE ZITEM SET ZBOUGHT = 700000000.75 WHERE Z_PK = 3",
      "changed Item 3: bought 700000000.5 -> 700000000.75"
    ),
    (
      "UPDATE ZITEM SET ZPICTURE = x'01AABC' WHERE Z_PK = 1",
      "changed Item 1: picture 2 bytes [215, 152] -> 2 bytes [12, 7]"
    ),
    ("UPDATE ZITEM SET ZBOX = 2 WHERE Z_PK = 1", "changed Item 1: box -Box 1 +Box 2"),
    ("UPDATE ZITEM SET ZBOX = NULL WHERE Z_PK = 3", "changed Item 3: box -Box 2"),
    ("DELETE FROM Z_2TAGS WHERE Z_3TAGS = 2", "changed Item 2: tags -Tag 2"),
    ("UPDATE Z_2TAGS SET Z_3TAGS = 2 WHERE Z_2ITEMS = 1", "changed Item 1: tags -Tag 1 +Tag 2"),
    ("UPDATE ZITEM SET Z_FOK_BOX = 4096 WHERE Z_PK = 1", "changed Box 1: items reordered"),
    ("DELETE FROM ZTAG WHERE Z_PK = 2", "removed Tag 2: word 'new' -> absent"),
    (
      "INSERT INTO ZBOX (Z_PK, Z_ENT, ZLABEL) VALUES (9, 1, 'tin')",
      "added Box 9: label absent -> 'tin'"
    ),
  ]

  @Test("one planted difference is found and named", arguments: planted)
  func found(sql: String, line: String) throws {
    let sample = try ComparisonSample(second: sql)
    let (lines, difference) = try sample.compare()
    #expect(lines == [line])
    #expect(!difference.isSame)
  }

  @Test("what is known of columns changes nothing of what is found", arguments: planted)
  func keptColumns(sql: String, line: String) throws {
    let sample = try ComparisonSample(second: sql)
    var choices = ComparisonChoices()
    choices.keptColumns = try sample.keptColumns()
    #expect(try sample.compare(choices).lines == [line])
  }

  @Test("columns that are known to be the same are not read") func unread() throws {
    let sample = try ComparisonSample()
    var choices = ComparisonChoices()
    choices.keptColumns = try sample.keptColumns()
    #expect(try sample.compare(choices).difference == sample.compare().difference)
    // Of values in files the columns do not say that they are the same.
    let second = try ComparisonSample.store(
      "c.sqlite", ComparisonSample.shop, "2",
      ComparisonSample.rows + "UPDATE ZITEM SET ZNAME = 'mug', ZPICTURE = x'01CC' WHERE Z_PK = 1")
    let changed = ComparisonSample(first: sample.first, second: second)
    let lines = try changed.compare(choices).lines
    #expect(lines.count == 1 && lines.first?.hasPrefix("changed Item 1: picture") == true)
    #expect(try changed.compare().lines.first?.hasPrefix("changed Item 1: name") == true)
  }

  @Test("links in pages that are the same are not read of objects that both stores have")
  func samePages() throws {
    var choices = ComparisonChoices()
    choices.sameTables = ["Z_2TAGS"]
    // What is said to be the same is not looked at.
    let sample = try ComparisonSample(second: "DELETE FROM Z_2TAGS WHERE Z_3TAGS = 2")
    #expect(try sample.compare(choices).lines == [])
    #expect(try sample.compare().lines == ["changed Item 2: tags -Tag 2"])
  }

  @Test("links in pages that are the same are read of an object that one store alone has")
  func samePagesOfRemoved() throws {
    var choices = ComparisonChoices()
    choices.sameTables = ["Z_2TAGS"]
    let sample = try ComparisonSample(second: "DELETE FROM ZITEM WHERE Z_PK = 2")
    let lines = try sample.compare().lines
    #expect(lines.contains { $0.contains("tags") })
    #expect(try sample.compare(choices).lines == lines)
  }

  @Test(
    "what is no data is no difference",
    arguments: [
      "UPDATE ZITEM SET Z_OPT = 99", "UPDATE ZITEM SET Z_FOK_BOX = Z_FOK_BOX * 2",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000", "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      "ALTER TABLE ZITEM RENAME COLUMN ZNAME TO old; ALTER TABLE ZITEM ADD COLUMN ZNAME VARCHAR; "
        + "UPDATE ZITEM SET ZNAME = old",
    ])
  func ignored(sql: String) throws {
    let sample = try ComparisonSample(second: sql)
    #expect(try sample.compare().difference.isSame)
  }

  @Test("texts that only look alike differ") func lookalikes() throws {
    let sample = try ComparisonSample(
      first: "UPDATE ZITEM SET ZNAME = 'caf' || char(0xe9)",
      second: "UPDATE ZITEM SET ZNAME = 'cafe' || char(0x301)")
    #expect(try sample.compare().difference.entities[1].attributes["name"]?.changed == 3)
  }

  @Test("values are counted by what happened to them") func counts() throws {
    let sample = try ComparisonSample(
      second: """
        UPDATE ZITEM SET ZNAME = upper(ZNAME), ZSIZE = NULL, ZCOUNT = 4;
        DELETE FROM Z_2TAGS; INSERT INTO Z_2TAGS VALUES (3, 2)
        """)
    let item = try sample.compare().difference.entities[1]
    #expect(item.changed == 3 && item.kept == 0)
    #expect(item.attributes["name"] == ComparedAttribute(changed: 3))
    #expect(item.attributes["size"] == ComparedAttribute(emptied: 3))
    #expect(item.attributes["count"] == ComparedAttribute(changed: 1, appeared: 1))
    #expect(item.links["tags"]?.lost == 3 && item.links["tags"]?.gained == 1)
    #expect(item.attributes.keys.sorted() == ["count", "name", "size"])
  }

  @Test("only the entities that are asked for are compared") func chosen() throws {
    let sample = try ComparisonSample(
      second: "UPDATE ZBOX SET ZLABEL = 'x'; UPDATE ZTAG SET ZWORD = 'x'")
    var choices = ComparisonChoices()
    choices.entities = ["Tag"]
    let (lines, difference) = try sample.compare(choices)
    #expect(difference.entities.map(\.name) == ["Tag"])
    #expect(lines.count == 2)
  }

  @Test("a condition counts objects that meet it in either store") func condition() throws {
    let sample = try ComparisonSample(
      second: "UPDATE ZITEM SET ZCOUNT = 7, ZNAME = 'x' WHERE Z_PK < 3")
    var choices = ComparisonChoices()
    choices.entities = ["Item"]
    choices.condition = "count = 4"
    #expect(
      try sample.compare(choices).lines == ["changed Item 1: count 4 -> 7; name 'cup' -> 'x'"])
    choices.condition = "count = 1"
    let (lines, difference) = try sample.compare(choices)
    #expect(lines == [] && difference.entities[0].kept == 1)
    choices.condition = "nothing = 1"
    #expect(throws: Failure.self) { try sample.compare(choices) }
  }

  @Test("stores without a common entity cannot be paired") func strangers() throws {
    let sample = try ComparisonSample(
      "<entity name=\"A\"/>", "<entity name=\"B\"/>", rows: "")
    let error = #expect(throws: Failure.self) { try sample.compare() }
    #expect(error?.kind == .unusable)
    #expect(error?.why.contains("no entity in common") == true)
    var choices = ComparisonChoices()
    choices.pairs = ["B": "A"]
    let difference = try sample.compare(choices).difference
    #expect(difference.entities.map(\.from) == ["A"] && difference.entities.map(\.isSame) == [true])
  }

  @Test("an unknown name is reported with the nearest") func unknown() throws {
    var choices = ComparisonChoices()
    choices.entities = ["Itme"]
    let sample = try ComparisonSample()
    let error = #expect(throws: Failure.self) { try sample.compare(choices) }
    #expect(error?.why == "Neither store has it; did you mean Item?")
  }

  @Test("a store that changes while it is read is reported as that") func changing() throws {
    let sample = try ComparisonSample(second: "UPDATE ZBOX SET ZLABEL = 'x'")
    let error = #expect(throws: Failure.self) {
      try StoreComparison(sample.first, sample.second).run { _ in
        let file = try FileHandle(forWritingTo: URL(filePath: sample.second.path))
        try file.seek(toOffset: 24)
        try file.write(contentsOf: Data([9, 9, 9, 9]))
        try file.close()
      }
    }
    #expect(error?.kind == .busy)
  }

  @Test("metadata differs by key, our log and the framework's version aside") func metadata() throws
  {
    let model = try MappingModels.model("<entity name=\"A\"/>", name: "1")
    func make(_ name: String, _ launches: Int64, _ framework: Int64) throws -> ComparedStore {
      let path = TemporaryFolder.url.appending(path: name).path
      try NewStore.make(
        at: path, schema: StoreSchema(of: model, framework: FrameworkVersion(framework)),
        contents: NewStoreContents(
          uuid: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11",
          metadata: ["launches": .integer(launches), "PipelineLog": .array([.integer(framework)])]))
      return try ComparedStore(Store(path), model: model)
    }
    let difference = try StoreComparison(
      make("a.sqlite", 1, 1344), make("b.sqlite", 2, 1348)
    ).run()
    #expect(difference.metadata.map(\.key) == ["launches"])
    #expect(difference.metadata.first?.isApplications == true)
  }
}
