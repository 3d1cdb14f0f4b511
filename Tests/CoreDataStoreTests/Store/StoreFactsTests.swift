import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("What is in a store", .temporaryFolder) struct StoreFactsTests {
  private static let referenced = "0F8FAD5B-D9CB-469F-A165-70867728950E"
  private static let lost = "7C9E6679-7425-40DE-944B-E07FC1F90AE7"

  /// The facts of a sample store, as its model's file tells them.
  private func facts(_ path: String) throws -> StoreFacts {
    let models = samplePath("Sample.xcdatamodel")
    if !FileManager.default.fileExists(atPath: models) {
      try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
      let text = try ModelWriter(StoreSample.model()).xml
      try Data(text.utf8).write(to: URL(filePath: models + "/contents"))
    }
    let store = try Store(path)
    return try store.facts(store.recognise(among: ModelSource([models])))
  }

  @Test("entities have their numbers, rows, bytes and hashes")
  func entities() throws {
    let facts = try facts(StoreSample.make())
    #expect(facts.recognition.known == .file)
    #expect(facts.entities.map(\.name) == ["Person"])
    #expect(facts.entities.map(\.number) == [1])
    #expect(facts.entities.map(\.rows) == [3])
    #expect(facts.entities.map(\.table) == ["ZPERSON"])
    #expect(facts.entities.allSatisfy { $0.bytes == 4096 || facts.areBytesEstimated })
    #expect(try facts.entities[0].hash == VersionHashes(of: StoreSample.model()).entities["Person"])
    #expect(facts.history == nil)
    #expect(facts.foreign.isEmpty)
    #expect(facts.warnings.isEmpty)
    #expect(facts.journalMode == "delete" && facts.pageSize == 4096 && facts.integrity == "ok")
  }

  @Test("external files are present, missing, orphaned, or no reference at all")
  func externalFiles() throws {
    let path = try StoreSample.make { store in
      let cells: [[UInt8]] = [
        [2] + Array(Self.referenced.utf8) + [0], [2] + Array(Self.lost.utf8) + [0],
        [2] + Array("../../../../../../../../../../etc/pass".utf8.prefix(36)) + [0],
        [1, 2, 3], [2] + Array(Self.referenced.utf8) + [0],
      ]
      for (index, cell) in cells.enumerated() {
        try store.run(
          "INSERT INTO ZPERSON VALUES (?1, 1, 1, NULL, ?2)",
          [.integer(Int64(index + 10)), .blob(cell)])
      }
      try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 99")
    }
    let folder = samplePath(".a_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in [Self.referenced, "orphan"] {
      try Data([1, 2, 3, 4]).write(to: URL(filePath: "\(folder)/\(name)"))
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/\(Self.lost)", withDestinationPath: "orphan")
    let before = try FolderState()
    let files = try #require(try facts(path).externalFiles)
    #expect(files.present == 1 && files.bytes == 4)
    // The link of that name is not followed.
    #expect(files.missingNames == [Self.lost] && files.missing == 1)
    #expect(files.orphanedNames == ["orphan"] && files.orphaned == 1)
    #expect(files.malformed == 1)
    try FileManager.default.removeItem(atPath: samplePath("Sample.xcdatamodel"))
    #expect(try FolderState() == before)
  }

  @Test("a column of external files that is not there is reported, and the rest all the same")
  func missingColumn() throws {
    let facts = try facts(
      StoreSample.make { try $0.execute("ALTER TABLE ZPERSON DROP COLUMN ZPICTURE") })
    #expect(
      facts.warnings.map(\.description) == [
        "ZPERSON: It has no column ZPICTURE for Person.picture."
      ])
    #expect(facts.externalFiles == ExternalFiles())
    #expect(facts.entities.map(\.rows) == [3])
  }

  @Test("a folder of external files that cannot be read is reported")
  func strangeFolder() throws {
    let path = try StoreSample.make()
    try FileManager.default.createDirectory(
      atPath: samplePath(".a_SUPPORT"), withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: samplePath(".a_SUPPORT/_EXTERNAL_DATA")))
    #expect(try facts(path).externalFiles?.folderProblem != nil)
  }

  @Test("what neither Core Data nor the model explains is named")
  func foreign() throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        CREATE TABLE mine (a); CREATE INDEX mine_a ON mine (a);
        CREATE INDEX RADAR_1 ON ZPERSON (ZNAME);
        CREATE VIEW everybody AS SELECT * FROM ZPERSON;
        CREATE TRIGGER ZT_touch AFTER INSERT ON ZPERSON BEGIN DELETE FROM mine; END;
        CREATE TRIGGER Z_DA_x AFTER INSERT ON ZPERSON BEGIN DELETE FROM mine; END;
        ALTER TABLE ZPERSON ADD COLUMN extra;
        CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY); INSERT INTO ANSCKEVENT VALUES (1);
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); INSERT INTO ACHANGE VALUES (1), (2);
        """)
    }
    let facts = try facts(path)
    let names = Set(facts.foreign.map { "\($0.kind) \($0.name)" })
    #expect(
      names == [
        "table mine", "index mine_a", "index RADAR_1", "view everybody", "trigger ZT_touch",
        "column extra",
      ])
    #expect(facts.triggers.map(\.purpose) == [.foreign, .derived])
    #expect(facts.cloudKit.map(\.table) == ["ANSCKEVENT"] && facts.cloudKit[0].rows == 1)
    #expect(facts.history?.transactions == 0 && facts.history?.changes == 2)
  }

  @Test("keys and numbers that do not fit are warnings")
  func warnings() throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        UPDATE Z_PRIMARYKEY SET Z_NAME = 'Human', Z_MAX = 2;
        INSERT INTO ZPERSON VALUES (9, 7, 1, NULL, NULL)
        """)
    }
    try FileManager.default.linkItem(atPath: path, toPath: samplePath("other.sqlite"))
    let facts = try facts(path)
    let text = facts.warnings.map(\.description).joined(separator: "\n")
    #expect(text.contains("still calls it Human"))
    #expect(text.contains("highest Z_PK is 9, above the 2"))
    #expect(text.contains("1 of its rows have another Z_ENT"))
    #expect(text.contains("another name (a hard link)"))
  }

  @Test("without a model Z_PRIMARYKEY alone tells the entities")
  func withoutModel() throws {
    let store = try Store(StoreSample.make())
    let facts = try store.facts(store.recognise())
    #expect(facts.recognition.known == .none)
    #expect(facts.entities.map(\.rows) == [3])
    #expect(facts.externalFiles == nil)
    #expect(facts.foreign.isEmpty)
  }
}

@Suite(
  "What is in the stores of the corpus",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct CorpusFactsTests {
  @Test("every store is described completely, and nothing in it is foreign")
  func all() throws {
    for (number, store) in CorpusStores.all.enumerated() {
      let opened = try Store(CorpusStores.copy(store, as: "\(number).sqlite"))
      let facts = try opened.facts(opened.recognise())
      #expect(facts.entities.allSatisfy { $0.hash != nil }, "\(store)")
      #expect(facts.foreign.isEmpty, "\(store) \(facts.foreign)")
      #expect(!facts.areBytesEstimated)
      let bytes = facts.entities.reduce(0) { $0 + $1.bytes }
      #expect(bytes > 0 && bytes < facts.files.bytes + (facts.files.walBytes ?? 0))
      let isStale = store.hasSuffix("SampleModel_V2.sqlite")
      #expect(facts.warnings.count == (isStale ? 1 : 0), "\(store) \(facts.warnings)")
      let derives = store.contains("SampleModel2_")
      #expect(facts.triggers.count == (derives ? 5 : 0))
      #expect((facts.history != nil) == derives)
      let isOrdered = store.contains("Bookmarks_V4") || store.contains("Bookmarks_V5")
      #expect(facts.joins.map(\.table) == (isOrdered ? ["Z_1FAVORITES"] : []))
    }
  }
}
