import CoreDataStore
import SQLite
@testable import StoreMigration
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("Searches for objects of the new store", .temporaryFolder) struct ObjectSearchTests {
  private static let attributes = [
    ("s", "String"), ("i", "Integer 64"), ("f", "Float"), ("d", "Double"), ("m", "Decimal"),
    ("b", "Boolean"), ("t", "Date"), ("u", "UUID"), ("p", "URI"),
  ].map { M.attribute($0, $1, "optional=\"YES\"") }.joined()

  private static let index =
    "<fetchIndex name=\"byS\"><fetchIndexElement property=\"s\" type=\"Binary\" "
    + "order=\"ascending\"/></fetchIndex>"

  private static func model(_ more: String = "") -> String {
    "<entity name=\"Item\">\(attributes)\(more)</entity>"
      + "<entity name=\"Part\" parentEntity=\"Item\"/>"
  }

  /// Items, and parts with odd keys.
  private static func rows(_ count: Int) -> String {
    """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZS, ZI, ZF, ZD, ZM, ZB, ZT, ZU, ZP)
    WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < \(count))
    SELECT k, 1 + k % 2, 1, CASE WHEN k % 5 THEN 'name ' || (k % 5) END, k % 7 - 3,
      k % 3 / 2.0, k % 4 * 1.1, k % 6 * 0.25, k % 2, 700000000 + k % 8 / 4.0,
      CASE WHEN k % 3 THEN x'000102030405060708090A0B0C0D0E0F' END, 'a:' || (k % 9) FROM n
    """
  }

  /// 1,500 of them; the new version may have an index.
  private func sample(_ index: String = "") throws -> CopySample {
    try CopySample(Self.model(), Self.model(index), rows: Self.rows(1500))
  }

  /// The new store with all objects, and what searches in it.
  private func copied() throws -> (copy: ScriptedCopy, connection: Connection) {
    let builder = try sample().builder()
    try CopySample.copyAll(builder)
    return (try ScriptedCopy(builder, entity: "Item"), builder.connection)
  }

  private func ownIndexes(_ connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE name GLOB 'pipeline_link_*' ORDER BY 1"
    ).compactMap { $0[0].string }
  }

  /// How SQLite does a search.
  private func plan(_ condition: ModelPredicate, _ copy: ScriptedCopy) throws -> String {
    let search = try copy.search("Item", condition)
    return try copy.builder.connection.rows(
      "EXPLAIN QUERY PLAN SELECT Z_PK FROM main.ZITEM AS s WHERE \(search.filter) ORDER BY 1",
      search.values
    ).compactMap { $0.last?.string }.joined(separator: ", ")
  }

  /// What a condition without parameters gives, row by row.
  private func scan(_ condition: String, _ copy: ScriptedCopy) throws -> [Int64] {
    let schema = copy.builder.targetSchema
    let layout = try #require(schema.entity(named: "Item"))
    let sql = try ConditionSQL(condition, layout: layout, model: schema.model).sql
    return try copy.builder.connection.rows(
      "SELECT Z_PK FROM main.ZITEM AS s NOT INDEXED WHERE \(sql) ORDER BY 1"
    ).compactMap { $0[0].integer }
  }

  /// Searches three times, and compares with a scan each time.
  private func search(_ condition: String, _ copy: ScriptedCopy) throws {
    let found = try scan(condition, copy)
    #expect(!found.isEmpty)
    let predicate = PredicateParser.predicate(condition)
    for _ in 0..<3 {
      let keys = try copy.find("Item", where: predicate, limit: 5000).map(\.key)
      #expect(keys == found)
      let first = try copy.find("Item", where: predicate, limit: 2).map(\.key)
      #expect(first == Array(found.prefix(2)))
      #expect(try copy.count("Item", where: predicate) == found.count)
      let parts = found.filter { $0 % 2 == 1 }.map { ObjectID(entity: "Part", key: $0) }
      #expect(try copy.find("Part", where: predicate, limit: 5000) == parts)
      #expect(try copy.count("Part", where: predicate) == parts.count)
    }
  }

  @Test(
    "equal values are found by an index, and are those of a scan",
    arguments: [
      ("s = 'name 1'", "ZS"), ("'name 1' == s", "ZS"), ("i = -2", "ZI"), ("i == 3", "ZI"),
      ("f = 0.5", "ZF"), ("d = 1.1", "ZD"), ("m = 0.75", "ZM"), ("m = 1", "ZM"), ("b = YES", "ZB"),
      ("t = CAST(700000000.25, \"NSDate\")", "ZT"), ("t = '2023-03-08T20:26:40Z'", "ZT"),
      ("u = '00010203-0405-0607-0809-0a0b0c0d0e0f'", "ZU"), ("p = 'a:4'", "ZP"),
      ("s = 'name 2' AND i = 3", "ZI_ZS"), ("s = 'name 1' AND d > 0", "ZS"),
      ("i = 1 AND (b = YES AND s != nil)", "ZB_ZI"), ("b = NO AND NOT s = 'name 1'", "ZB"),
    ])
  func equal(condition: String, columns: String) throws {
    let (copy, connection) = try copied()
    try search(condition, copy)
    let index = "pipeline_link_ZITEM_\(columns)"
    #expect(try ownIndexes(connection) == [index])
    let plan = try plan(PredicateParser.predicate(condition), copy)
    #expect(plan.hasPrefix("SEARCH s USING INDEX \(index) ("), "\(plan)")
  }

  @Test("searches that differ in their values alone find each its own")
  func values() throws {
    let (copy, _) = try copied()
    let conditions = [
      "s = 'name 1'", "s = 'name 3'", "s = 'none'", "i = 1 AND s = 'name 2'",
      "i = 2 AND s = 'name 4'", "s = 'name 4' AND i = 2", "s = 'name 1' AND s = 'name 2'",
      "m = 0.75", "m = 1", "t = '2023-03-08T20:26:40Z'", "t = CAST(700000000.25, \"NSDate\")",
      "p = 'a:4'", "p = 'a:5'", "b = YES", "b = NO", "s = nil", "s = 'name 3'",
    ]
    for condition in conditions + conditions {
      let predicate = PredicateParser.predicate(condition)
      let keys = try copy.find("Item", where: predicate, limit: 5000).map(\.key)
      #expect(try keys == scan(condition, copy), "\(condition)")
    }
    #expect(throws: Failure.self) {
      try copy.find("Item", where: PredicateParser.predicate("i = 'name 1'"), limit: 1)
    }
  }

  @Test(
    "everything else is a scan",
    arguments: [
      "s = nil", "s != 'name 1'", "NOT s = 'name 1'", "s = 'name 1' OR i = 1", "i > 1",
      "s BEGINSWITH 'name'", "s IN {'name 1'}", "d = f", "TRUEPREDICATE",
    ])
  func others(condition: String) throws {
    let (copy, connection) = try copied()
    try search(condition, copy)
    #expect(try ownIndexes(connection).isEmpty)
  }

  @Test("a search that is made once makes no index, nor do searches among few objects")
  func few() throws {
    let equal = PredicateParser.predicate("s = 'name 1'")
    let (copy, connection) = try copied()
    #expect(try copy.count("Item", where: equal) == 300)
    #expect(try ownIndexes(connection).isEmpty)
    try connection.execute("DELETE FROM main.ZITEM WHERE Z_PK > 10")
    let small = try ScriptedCopy(copy.builder, entity: "Item")
    for _ in 0..<50 { #expect(try small.count("Item", where: equal) == 2) }
    #expect(try ownIndexes(connection).isEmpty)
  }

  @Test("an index of the model's that is there already is used")
  func indexOfModel() throws {
    let builder = try sample(Self.index).builder()
    try CopySample.copyAll(builder)
    let index = try #require(builder.targetSchema.indexes.first { $0.name == "Z_Item_byS" })
    try builder.connection.execute(index.sql)
    let copy = try ScriptedCopy(builder, entity: "Item")
    try search("s = 'name 1'", copy)
    #expect(try ownIndexes(builder.connection).isEmpty)
    let plan = try plan(PredicateParser.predicate("s = 'name 1'"), copy)
    #expect(plan.hasPrefix("SEARCH s USING INDEX Z_Item_byS ("), "\(plan)")
  }

  private func isText(_ text: String) -> ModelPredicate {
    .comparison(ModelComparison(.keyPath("s"), .equal, .constant(.string(text))))
  }

  @Test("a text is found whatever is in it, and however long it is")
  func texts() throws {
    let (copy, connection) = try copied()
    let long = String(repeating: "x", count: 2 << 20)
    let texts = [
      "", "a", "a\0", "a\0b", "a\0c", "\u{301}a", "\u{e9}", "e\u{301}", "\"it's\" \\ \r\n", long,
      long + "1", "\0" + long,
    ]
    let objects = try texts.map { text in
      let object = try copy.make("Item")
      try copy.set(object, ["s": .string(text)])
      return object
    }
    for _ in 0..<2 {
      for (text, object) in zip(texts, objects) {
        #expect(try copy.find("Item", where: isText(text), limit: 9) == [object])
        #expect(try copy.count("Part", where: isText(text)) == 0)
      }
    }
    #expect(try ownIndexes(connection) == ["pipeline_link_ZITEM_ZS"])
    #expect(try plan(isText(long), copy).hasPrefix("SEARCH"))
  }

  @Test("hundreds of values are found, too")
  func many() throws {
    let (copy, _) = try copied()
    let list = (0..<2000).map { "'name \($0)'" }.joined(separator: ", ")
    let condition = PredicateParser.predicate("s IN {\(list)} AND i = 1")
    #expect(try copy.count("Item", where: condition) == scan("s != nil AND i = 1", copy).count)
  }

  @Test("what was made a moment ago is found, and what was changed by its new value alone")
  func changes() throws {
    let (copy, connection) = try copied()
    for _ in 0..<2 { _ = try copy.count("Item", where: isText("name 1")) }
    #expect(try ownIndexes(connection) == ["pipeline_link_ZITEM_ZS"])
    try copy.savepoint {
      let object = try copy.make("Part")
      try copy.set(object, ["s": .string("new")])
      #expect(try copy.find("Item", where: isText("new"), limit: 9) == [object])
      try copy.set(object, ["s": .string("newer")])
      #expect(try copy.find("Item", where: isText("new"), limit: 9) == [])
      #expect(try copy.find("Item", where: isText("newer"), limit: 9) == [object])
      try copy.set(object, ["s": .null])
      #expect(try copy.find("Item", where: isText("newer"), limit: 9) == [])
    }
  }

  @Test("while the source is read an index waits for the next chunk, and an object can be undone")
  func chunks() throws {
    struct Skip: Error {}
    let sample = try CopySample(Self.model(), Self.model(), rows: Self.rows(300)) {
      $0.scripts = [ScriptClaim(entity: "Item", makesObjects: true)]
    }
    let builder = try sample.builder()
    let copy = try ScriptedCopy(builder, entity: "Item", limits: ChunkLimits(rows: 100))
    while try copy.chunk(
      state: { nil },
      { source in
        try? copy.savepoint {
          _ = try copy.makeDefault(source)
          let same = try copy.count("Item", where: PredicateParser.predicate("i = 1"))
          if same > 3 { throw Skip() }
        }
      })
    {}
    #expect(try ownIndexes(builder.connection) == ["pipeline_link_ZITEM_ZI"])
    #expect(try copy.count("Item", where: PredicateParser.predicate("i = 1")) == 3)
  }

  @Test("a run that resumes has the index, and a finished store has those of its model")
  func finished() throws {
    let sample = try sample(Self.index)
    let equal = PredicateParser.predicate("i = 1")
    do {
      let builder = try sample.builder()
      try CopySample.copyAll(builder)
      let copy = try ScriptedCopy(builder, entity: "Item")
      for _ in 0..<2 { _ = try copy.count("Item", where: equal) }
    }
    let builder = try sample.builder()
    #expect(builder.isResumed)
    #expect(try ownIndexes(builder.connection) == ["pipeline_link_ZITEM_ZI"])
    let copy = try ScriptedCopy(builder, entity: "Item")
    #expect(try plan(equal, copy).hasPrefix("SEARCH s USING INDEX pipeline_link_ZITEM_ZI ("))
    #expect(try copy.count("Item", where: equal) == scan("i = 1", copy).count)
    let indexes = Set(builder.targetSchema.indexes.map(\.name))
    #expect(indexes.contains("Z_Item_byS"))
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: builder.path, mode: .foreign)
    let names = try Schema(of: store).objects(of: .index).filter { $0.table == "ZITEM" }
    #expect(Set(names.map(\.name)) == indexes)
  }
}
