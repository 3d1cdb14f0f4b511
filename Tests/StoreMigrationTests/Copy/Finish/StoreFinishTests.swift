import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("The finish of a store", .temporaryFolder)
struct StoreFinishTests {
  private static func model(_ more: String = "", _ other: String = "") -> String {
    "\(other)<entity name=\"Item\">"
      + MappingModels.attribute("name", "String", "optional=\"YES\"")
      + "\(more)</entity>"
  }

  private static let unique = """
    <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
    </uniquenessConstraints>
    """

  /// Three items of which the highest key that was ever used is 9.
  private static func fill(_ store: Connection, _ schema: StoreSchema) throws {
    for key in Int64(1)...3 {
      try LinkSample.insert(store, schema, "Item", key, ["ZNAME": .text("same")])
    }
    try store.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Item'", [])
  }

  private static func finish(
    _ sample: LinkSample, _ choices: FinishChoices = FinishChoices()
  ) throws -> FinishSummary {
    let builder = try sample.copied()
    _ = try LinkCopy(builder).run()
    return try StoreFinish(builder, choices).run()
  }

  @Test("nothing of ours stays but the entry in the log, and the store is recognised")
  func whole() throws {
    let sample = try LinkSample(
      Self.model(), Self.model(MappingModels.attribute("size", "Integer 16", "optional=\"YES\"")),
      metadata: ["MyApp": .string("value"), "PipelineLog": .array([.string("first")])],
      fill: Self.fill)
    let choices = FinishChoices(
      setMetadata: ["Set": .bool(true)], runRecord: .dictionary(["id": .string("second")]))
    _ = try Self.finish(sample, choices)
    let store = try Store(samplePath("next.sqlite"))
    #expect(store.metadata.uuid == StoreSample.uuid)
    #expect(store.metadata.applicationKeys == ["MyApp", "Set"])
    #expect(
      store.metadata.log == [
        .string("first"), .dictionary(["id": .string("second"), "out": .integer(3)]),
      ])
    #expect(store.metadata.hashes == VersionHashes(of: sample.target.model).entities)
    #expect(store.metadata.digest == VersionHashes(of: sample.target.model).digest)
    #expect(try store.primaryKeys().entry(named: "Item")?.maximum == 9)
    #expect(store.schema.objects.allSatisfy { !$0.name.hasPrefix("pipeline") })
    #expect(try store.connection.string("PRAGMA journal_mode") == "delete")
    #expect(try store.connection.problems(.full).isEmpty)
    #expect(try store.connection.integer("SELECT count(*) FROM ZITEM") == 3)
  }

  @Test("a store shows by itself whether a run has finished it") func showing() throws {
    let sample = try LinkSample(Self.model(), Self.model(), fill: Self.fill)
    let path = samplePath("next.sqlite")
    #expect(try !StoreBuilder.isWhole(path, madeBy: "second"))
    try sample.copied().close()
    #expect(try !StoreBuilder.isWhole(path, madeBy: "second"))
    let choices = FinishChoices(runRecord: .dictionary(["run": .string("second")]))
    _ = try Self.finish(sample, choices)
    #expect(try StoreBuilder.isWhole(path, madeBy: "second"))
    #expect(try !StoreBuilder.isWhole(path, madeBy: "first"))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 5000)
    try file.close()
    #expect(try !StoreBuilder.isWhole(path, madeBy: "second"))
  }

  @Test("entries go and stay as is said, and a new identity is one")
  func metadata() throws {
    let sample = try LinkSample(
      Self.model(), Self.model(),
      metadata: [
        "a.one": .bool(true), "a.two": .bool(true), "b": .bool(true), "c.d": .bool(true),
        "c.d.e": .bool(true),
      ],
      fill: Self.fill)
    let choices = FinishChoices(
      removeMetadata: ["a.*", "c.d"], keepMetadata: ["a.two"], newUUID: true)
    _ = try Self.finish(sample, choices)
    let store = try Store(samplePath("next.sqlite"))
    #expect(store.metadata.applicationKeys == ["a.two", "b", "c.d.e"])
    #expect(store.metadata.uuid != StoreSample.uuid)
  }

  @Test("an error names the objects that share a value which must be unique")
  func notUnique() throws {
    let sample = try LinkSample(Self.model(), Self.model(Self.unique), fill: Self.fill)
    _ = try Self.finish(sample)
    let path = samplePath("next.sqlite")
    let error = try UniqueValues.refusal(of: path, sample.target, OpenedStores())
    #expect(error?.subject == "entity Item, ZNAME")
    #expect(error?.why == "The objects with Z_PK 1 and 3 have the same values.")
  }

  private static func history(_ store: Connection, _ schema: StoreSchema) throws {
    try fill(store, schema)
    try store.execute(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (5, 16002, 1, 1.5);
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID,
      ZCOLUMNS) VALUES (1, 16001, 1, 0, 1, 4, 5, x'01'), (2, 16001, 1, 1, 2, 3, 5, x'02');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_NAME = 'CHANGE'
      """)
  }

  @Test("the history is kept with the new numbers, without what belongs to nothing any more")
  func keptHistory() throws {
    let sample = try LinkSample(
      Self.model("", "<entity name=\"Gone\"/>"),
      Self.model("", "<entity name=\"Early\"/><entity name=\"Earlier\"/>"),
      { $0.drops = [NamedInstruction("Gone")] }, keepsHistory: true, fill: Self.history)
    let builder = try sample.copied(keepsHistory: true)
    let summary = try StoreFinish(builder, FinishChoices()).run()
    #expect(summary.keptChanges == 1 && summary.droppedChanges == 1)
    #expect(
      summary.warnings.map(\.description).contains { $0.contains("1 change was left behind") })
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(
      try store.rows("SELECT Z_PK, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS FROM ACHANGE")
        == [[.integer(2), .integer(3), .integer(3), .integer(5), .blob([2])]])
    #expect(
      try store.rows("SELECT Z_PK, ZTIMESTAMP FROM ATRANSACTION") == [[.integer(5), .real(1.5)]])
    #expect(try store.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'") == 8)
  }

  @Test("what a finish that was cut off has dropped is reported by the one that resumes it")
  func reportAfterResume() throws {
    struct Stop: Error {}
    let sample = try LinkSample(
      Self.model("", "<entity name=\"Gone\"/>"), Self.model(),
      { $0.drops = [NamedInstruction("Gone")] }, keepsHistory: true, fill: Self.history)
    let builder = try sample.copied(keepsHistory: true)
    #expect(throws: Stop.self) {
      try StoreFinish(builder, FinishChoices()).run { _ in throw Stop() }
    }
    let summary = try StoreFinish(builder, FinishChoices()).run()
    #expect(summary.keptChanges == 1 && summary.droppedChanges == 1)
    #expect(summary.warnings.contains { $0.description.contains("1 change was left behind") })
  }

  /// The bits that an entity `A` has for some changes of the source's bits.
  private static func bits(
    _ before: String, _ after: String, _ bits: [UInt8], type: Int = 1
  ) throws -> [UInt8]? {
    let sample = try LinkSample(before, after, keepsHistory: true) { store, _ in
      try store.execute(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (5, 16002, 1, 1.5);
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID,
        ZCOLUMNS) VALUES (1, 16001, 1, \(type), 1, 4, 5, x'\(Hex.encode(bits))')
        """)
    }
    let builder = try sample.copied(keepsHistory: true)
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    return try store.rows("SELECT ZCOLUMNS FROM ACHANGE").first?[0].blob
  }

  private static func tree(_ many: String, _ more: String = "") -> String {
    M.entity(
      "A", M.toOne("up", "A", inverse: many), M.toMany(many, "A", inverse: "up"), more)
  }

  @Test("a change is about a relationship of its name, not about the one that has its links now")
  func historyBits() throws {
    // The bits are: the key of up, the relationship to many.
    #expect(try Self.bits(Self.tree("old"), Self.tree("new"), [0xC0]) == [0x80])
  }

  @Test("a new hidden column of the rows is nothing that a change was about")
  func hiddenBits() throws {
    let before =
      M.entity("A", M.toMany("many", "B", inverse: "all"))
      + M.entity("B", M.toMany("all", "A", inverse: "many"))
    let after = M.entity("A", M.toMany("many", "A")) + M.entity("B")
    // Now they are: the hidden key, the relationship to many.
    #expect(try Self.bits(before, after, [0x80]) == [0x40])
  }

  @Test("a value that a deleted object left behind stays with the name of its attribute")
  func tombstones() throws {
    func xml(_ identifier: String) -> String {
      M.entity("A", M.attribute("x", "String", "preserveAfterDeletion=\"YES\" \(identifier)"))
    }
    let sample = try LinkSample(xml(""), xml("elementID=\"other\""), keepsHistory: true) {
      store, _ in
      try store.execute(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (5, 16002, 1, 1.5);
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID,
        ZTOMBSTONE0) VALUES (1, 16001, 1, 2, 1, 4, 5, 'left')
        """)
    }
    let builder = try sample.copied(keepsHistory: true)
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.string("SELECT ZTOMBSTONE0 FROM ACHANGE") == "left")
  }

  @Test("only an update has bits that are looked at")
  func bitsOfInsertions() throws {
    #expect(try Self.bits(Self.tree("old"), Self.tree("new"), [1, 2, 3], type: 0) == [1, 2, 3])
  }

  @Test("a change with more bits than its entity has properties ends the run")
  func tooManyBits() throws {
    let error = #expect(throws: Failure.self) {
      try Self.bits(Self.tree("old"), Self.tree("new"), [1, 2, 3])
    }
    #expect(error?.why == "Its ZCOLUMNS has 3 bytes; the properties of A need 1.")
  }

  @Test("a history without the table of its texts is kept as well")
  func olderHistory() throws {
    let sample = try LinkSample(Self.model(), Self.model(), keepsHistory: true) { store, schema in
      try Self.history(store, schema)
      try store.execute("DROP TABLE ATRANSACTIONSTRING")
    }
    #expect(try Self.finish(sample).keptChanges == 1)
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.integer("SELECT count(*) FROM ATRANSACTION") == 1)
  }

  @Test("a history that is dropped leaves nothing behind")
  func droppedHistory() throws {
    let sample = try LinkSample(
      Self.model(), Self.model(),
      metadata: ["_NSStoreAncillaryModelVersionHashesMetadataKey": .bool(true)],
      keepsHistory: true, fill: Self.history)
    let summary = try Self.finish(sample, FinishChoices(history: .drop))
    #expect(summary.droppedChanges == 2)
    #expect(summary.warnings.map(\.subject) == ["history"])
    let store = try Store(samplePath("next.sqlite"))
    #expect(store.schema.table("ACHANGE") == nil)
    #expect(try store.primaryKeys().entries.map(\.name) == ["Item"])
    #expect(!store.metadata.keys.contains { $0.hasPrefix("_NSStoreAncillary") })
  }
}
