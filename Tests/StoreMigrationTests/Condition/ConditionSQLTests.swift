import CoreDataStore
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Conditions over one row", .temporaryFolder) struct ConditionSQLTests {
  private static func schema() throws -> StoreSchema {
    try M.schema(
      M.entity(
        "Item", M.attribute("title"), M.attribute("rank", "Integer 32"),
        M.attribute("weight", "Double"), M.attribute("done", "Boolean"),
        M.attribute("made", "Date"), M.attribute("token", "UUID"), M.attribute("page", "URI"),
        M.attribute("image", "Binary"), M.attribute("price", "Decimal"),
        M.attribute("shown", "String", "transient=\"YES\""),
        M.toOne("box", "Box", inverse: "items"), M.toMany("tags", "Tag", inverse: "items")),
      M.entity("Box", M.toMany("items", "Item", inverse: "box")),
      M.entity("Tag", M.toMany("items", "Item", inverse: "tags")))
  }

  private static let rows = """
    INSERT INTO ZITEM (Z_PK, ZTITLE, ZRANK, ZWEIGHT, ZDONE, ZMADE, ZTOKEN, ZPAGE, ZIMAGE, ZPRICE,
      ZBOX)
    VALUES
      (1, 'Milk', 1, 0.5, 1, 757378800, x'000102030405060708090A0B0C0D0E0F', 'a:b', x'00', 1.5, 7),
      (2, 'milk*', 2, 2, 0, 757378800.25, NULL, NULL, NULL, 2, NULL),
      (3, 'O''Hara [x]', -3, -1.5, 0, 0, NULL, 'a:c', NULL, -1, 7),
      (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    """

  private static func keys(_ condition: String) throws -> [Int64] {
    let schema = try schema()
    let layout = try #require(schema.entity(named: "Item"))
    let sql = try ConditionSQL(condition, layout: layout, model: schema.model).sql
    let store = try NewStore(at: samplePath("\(condition.hashValue).sqlite"), schema: schema)
    try store.make(.tables)
    try store.connection.execute(rows)
    let values = try store.connection.rows("SELECT (\(sql)) FROM ZITEM s ORDER BY Z_PK")
    #expect(values.allSatisfy { $0[0] == .integer(0) || $0[0] == .integer(1) }, "\(sql)")
    return values.enumerated().filter { $0.element[0] == .integer(1) }.map { Int64($0.offset + 1) }
  }

  @Test(
    "it holds for the objects it is true of",
    arguments: [
      ("title = nil", [4]), ("title != NULL", [1, 2, 3]), ("title IS NOT NULL", [1, 2, 3]),
      ("title IS NULL", [4]), ("title == 'Milk'", [1]), ("'Milk' = title", [1]),
      ("title != \"Milk\"", [2, 3, 4]), ("title = \"O'Hara [x]\"", [3]), ("title < 'a'", [1, 3]),
      ("title != \"a'\u{301}\"", [1, 2, 3, 4]),
      ("rank < 2", [1, 3]), ("2 > rank", [1, 3]), ("NOT rank < 2", [2, 4]),
      ("rank >= -3", [1, 2, 3]),
      ("rank = 1.5", []), ("rank <= weight", [2, 3].filter { $0 != 4 }),
      ("rank != weight", [1, 3]),
      ("weight > 0.25 AND weight < 1.0", [1]), ("weight = 2", [2]), ("price >= 1.5", [1, 2]),
      ("done = YES", [1]), ("done != true", [2, 3, 4]), ("done = 0", [2, 3]),
      ("made = \"2024-12-31T23:00:00Z\"", [1]), ("made > '2024-12-31'", [1, 2]),
      ("made = \"2024-12-31T23:00:00.250Z\"", [2]), ("made = CAST(757378800, \"NSDate\")", [1]),
      ("token = '00010203-0405-0607-0809-0a0b0c0d0e0f'", [1]), ("page BEGINSWITH 'a:'", [1, 3]),
      ("image != nil", [1]), ("box = nil", [2, 4]), ("box != nil OR rank = 2", [1, 2, 3]),
      ("rank IN {1, -3}", [1, 3]), ("title IN {'Milk', 'x'}", [1]), ("NOT rank IN {1}", [2, 3, 4]),
      ("rank IN {}", []), ("rank BETWEEN {1, 2}", [1, 2]), ("NOT rank BETWEEN {1, 2}", [3, 4]),
      ("title BEGINSWITH 'Mi'", [1]), ("title BEGINSWITH ''", [1, 2, 3]),
      ("title ENDSWITH '*'", [2]), ("title ENDSWITH ''", [1, 2, 3]),
      ("title ENDSWITH 'far longer than the text'", []), ("title CONTAINS 'ilk'", [1, 2]),
      ("title CONTAINS[n] 'Hara'", [3]), ("NOT title CONTAINS 'ilk'", [3, 4]),
      ("title LIKE 'M*'", [1]), ("title LIKE 'milk\\\\*'", [2]), ("title LIKE 'milk?'", [2]),
      ("title LIKE '* [[]x]'", []), ("title LIKE '* [x]'", [3]),
      ("TRUEPREDICATE", [1, 2, 3, 4]), ("FALSEPREDICATE", []),
      ("(rank = 1 OR rank = 2) AND NOT (done = YES)", [2]),
    ] as [(String, [Int64])])
  func holds(condition: String, expected: [Int64]) throws {
    #expect(try Self.keys(condition) == expected)
  }

  @Test(
    "a text is compared as a whole, behind a NUL as well",
    arguments: [
      ("title LIKE '*end'", [1, 3]), ("title LIKE 'a?end'", [1, 3]), ("title LIKE 'a'", []),
      ("title LIKE 'a*'", [1, 2, 3]), ("title LIKE '?'", [4]), ("title LIKE 'a??b'", [2]),
      ("title LIKE 'a\u{1}end'", [3]), ("title ENDSWITH 'end'", [1, 3]),
      ("title ENDSWITH 'a'", []), ("title ENDSWITH 'ü'", [5]), ("title LIKE '*?ü'", [5]),
    ] as [(String, [Int64])])
  func behindNUL(condition: String, expected: [Int64]) throws {
    let schema = try Self.schema()
    let layout = try #require(schema.entity(named: "Item"))
    let sql = try ConditionSQL(condition, layout: layout, model: schema.model).sql
    let database = try Connection(inMemory: .foreign)
    try database.execute(
      """
      CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR);
      INSERT INTO ZITEM (ZTITLE) VALUES ('a' || char(0) || 'end'), ('a' || char(0, 0) || 'b'),
        ('a' || char(1) || 'end'), (char(0)), ('x' || char(0) || 'ü');
      """)
    let found = try database.rows("SELECT Z_PK FROM ZITEM s WHERE \(sql) ORDER BY Z_PK")
    #expect(found.map { $0[0] } == expected.map(Value.integer))
  }

  @Test("hundreds of parts are not too deep for SQLite")
  func long() throws {
    let condition = (1...500).map { "rank = \($0)" }.joined(separator: " OR ")
    let schema = try Self.schema()
    let layout = try #require(schema.entity(named: "Item"))
    let sql = try ConditionSQL(condition, layout: layout, model: schema.model).sql
    let database = try Connection(inMemory: .foreign)
    try database.execute(
      "CREATE TABLE ZITEM (ZRANK INTEGER); INSERT INTO ZITEM VALUES (499), (501)")
    #expect(try database.integer("SELECT count(*) FROM ZITEM s WHERE \(sql)") == 1)
  }

  @Test(
    "what SQL cannot say exactly is an error with its reason",
    arguments: [
      ("titel = 'x'", "Item has no property titel; did you mean title?"),
      ("nothing = 1", "Item has no property nothing."),
      ("box.name = 'x'", "The key path box.name leads to another object"),
      ("tags = nil", "Item.tags leads to many objects"),
      ("shown = nil", "Item.shown is not stored"),
      ("box = 7", "box is a relationship"), ("title = 7", "7 is no value of title"),
      ("rank = 'a'", "\"a\" is no value of rank"), ("done = 2", "2 is no value of done"),
      ("made > 5", "5 is no value of made"), ("made > '2024-12-31x'", "is no value of made"),
      ("made = '2024-02-31'", "is no value of made"),
      ("token = 'x'", "is no value of token"), ("image = 'x'", "is no value of image"),
      ("title =[c] 'milk'", "SQLite cannot compare text as [c]"),
      ("title MATCHES 'a.*'", "SQLite has no regular expressions."),
      ("ANY rank = 1", "ANY asks many objects"), ("SELF = 1", "Neither side"),
      ("rank = title", "have types that cannot be compared"),
      ("done < 1", "The values of done have no order."),
      ("rank BETWEEN {1}", "BETWEEN needs two bounds."),
      ("rank IN {nil}", "holds something that is no plain value"),
      ("'a' IN title", "IN needs a property on its left."),
      ("rank + 1 = 2", "Neither side"), ("rank = 1 + 1", "is not understood"),
      ("rank CONTAINS 1", "CONTAINS needs a property and a value that are text."),
      ("title LIKE 'a\\\\'", "The pattern ends with a backslash."),
      ("title = ", "It cannot be read"), ("title", "It cannot be read"),
      ("title = 'a\0b'", "is no value of title"),
    ])
  func refused(condition: String, why: String) throws {
    let schema = try Self.schema()
    let layout = try #require(schema.entity(named: "Item"))
    let error = #expect(throws: Failure.self) {
      try ConditionSQL(condition, layout: layout, model: schema.model)
    }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "no error")")
    #expect(error?.subject == "entity Item, where \(condition)")
  }

  @Test("a text without its quotes is taken for one by its capital")
  func bareText() throws {
    let schema = try Self.schema()
    let layout = try #require(schema.entity(named: "Item"))
    func remedy(_ condition: String) -> String? {
      let error = #expect(throws: Failure.self) {
        try ConditionSQL(condition, layout: layout, model: schema.model)
      }
      return error?.remedy
    }
    #expect(remedy("title = Milk")?.hasSuffix("A text stands in quotes: 'Milk'.") == true)
    #expect(remedy("title = colour")?.contains("quotes") == false)
  }
}
