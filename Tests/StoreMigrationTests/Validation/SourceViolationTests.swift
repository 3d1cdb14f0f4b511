import CoreDataStore
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels
private typealias S = ValidationSample

@Suite("Violations that stood in the source", .temporaryFolder) struct SourceViolationTests {
  private static func result(
    source: String, target: String, strict: Bool = false, note: String = S.note(),
    more: String = "",
    instructions: MappingInstructions = MappingInstructions()
  ) throws -> ValidationResult {
    let (old, new) = (try S.schema(note: note, more), try S.schema())
    let mapping = Mapping(from: old.model, to: new.model, instructions: instructions)
    let origin = Validation.Source(
      path: try S.store(schema: old, ";" + source), schema: old, mappings: [mapping])
    return try Validation(
      store: try S.store(schema: new, ";" + target), schema: new, source: origin,
      choices: Validation.Choices(isStrict: strict)
    ).run()
  }

  private static let damages = [
    "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 2",
    "UPDATE ZNOTE SET ZTITLE = 'a' WHERE Z_PK = 2",
    "UPDATE ZNOTE SET ZCODE = 'x' WHERE Z_PK = 2",
    "UPDATE ZNOTE SET ZRANK = 0 WHERE Z_PK = 2",
    "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 2",
    "UPDATE ZNOTE SET ZFOLDER = 9 WHERE Z_PK = 2",
    "UPDATE ZNOTE SET ZFOLDER = 1",
    "UPDATE ZNOTE SET ZCOVERS = 2 WHERE Z_PK = 3",
    "UPDATE ZNOTE SET Z5_THING = 6 WHERE Z_PK = 1",
    "UPDATE ZLOOSE SET Z4FREE = 2",
    "INSERT INTO Z_3TAGS (Z_3NOTES, Z_4TAGS) VALUES (3, 2)",
    "UPDATE ZFOLDER SET ZNAME = 'Home'",
    "UPDATE ZTAG SET Z_ENT = 9; DELETE FROM Z_3TAGS; DELETE FROM ZLOOSE",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 3",
  ]

  @Test("it is a warning when the same value broke the same rule", arguments: damages)
  func warning(damage: String) throws {
    let result = try Self.result(source: damage, target: damage)
    #expect(result.warnings > 0)
    #expect(result.errors == 0, "\(result.failures)")
    #expect(!result.failures.contains { !$0.inSource })
    #expect(result.isPassed)
  }

  @Test("it is an error when the source was sound", arguments: damages)
  func error(damage: String) throws {
    let result = try Self.result(source: "", target: damage)
    #expect(result.errors > 0)
    #expect(result.warnings == 0)
    #expect(!result.isPassed)
  }

  @Test("strict makes it an error, and still says where it was")
  func strict() throws {
    let damage = Self.damages[0]
    let result = try Self.result(source: damage, target: damage, strict: true)
    #expect(result.errors == 1 && result.warnings == 0)
    #expect(result.failures.first?.inSource == true)
  }

  @Test("another value under the same rule is an error")
  func changedValue() throws {
    let result = try Self.result(
      source: "UPDATE ZNOTE SET ZRANK = 0 WHERE Z_PK = 2",
      target: "UPDATE ZNOTE SET ZRANK = -1 WHERE Z_PK = 2")
    #expect(result.errors == 1 && result.warnings == 0)
  }

  @Test("the same value under a new rule is an error; errors come first in the list")
  func newRule() throws {
    let loose = S.note().replacing("minValueString=\"1\" maxValueString=\"9\"", with: "")
    let damage = "UPDATE ZNOTE SET ZRANK = 0, ZTITLE = NULL WHERE Z_PK = 2"
    let result = try Self.result(source: damage, target: damage, note: loose)
    #expect(result.errors == 1 && result.warnings == 1)
    #expect(result.failures.map(\.property) == ["rank", "title"])
  }

  @Test("a renamed attribute is followed")
  func renamed() throws {
    let old = S.note().replacing("name=\"rank\"", with: "name=\"grade\"")
      .replacing("ZRANK", with: "ZGRADE")
    let new = S.note().replacing("name=\"rank\"", with: "name=\"rank\" elementID=\"grade\"")
    let (before, after) = (try S.schema(note: old), try S.schema(note: new))
    let path = samplePath("old.sqlite")
    let store = try NewStore(at: path, schema: before, durability: .off)
    try store.make(.tables)
    try store.connection.execute(
      S.rows.replacing("ZRANK", with: "ZGRADE") + ";UPDATE ZNOTE SET ZGRADE = 0")
    try store.close()
    let source = Validation.Source(
      path: path, schema: before, mappings: [Mapping(from: before.model, to: after.model)])
    let result = try Validation(
      store: try S.store(schema: after, ";UPDATE ZNOTE SET ZRANK = 0"),
      schema: after, source: source
    ).run()
    #expect(result.errors == 0 && result.warnings == 3, "\(result.failures)")
  }

  @Test("as many objects must come out as the mapping makes")
  func counts() throws {
    let removal = "DELETE FROM ZNOTE WHERE Z_PK = 2; DELETE FROM Z_3TAGS"
    let lost = try Self.result(source: "", target: removal)
    #expect(
      lost.failures.map(\.rule) == ["as many objects as the mapping makes: 3, found 2"])
    #expect(lost.failures.first?.entity == "Note")
    var instructions = MappingInstructions()
    instructions.filters = [ObjectFilter(entity: "Note", condition: "rank != 9")]
    let left = try Self.result(source: "", target: removal, instructions: instructions)
    #expect(left.errors == 0, "\(left.failures)")
  }

  @Test("objects with new keys may break a rule as often as they did in the source")
  func renumbered() throws {
    let old = try StoreSchema(
      of: ModelText.model(
        M.entity("A", "<attribute name=\"name\" attributeType=\"String\"/>")
          + M.entity("B", "<attribute name=\"name\" attributeType=\"String\"/>")))
    let new = try StoreSchema(
      of: ModelText.model(M.entity("A", "<attribute name=\"name\" attributeType=\"String\"/>")))
    var instructions = MappingInstructions()
    instructions.maps = [EntityMap(entity: "A", from: "B")]
    let mapping = Mapping(from: old.model, to: new.model, instructions: instructions)
    #expect(mapping.objects.map(\.keys).contains(.renumbered))
    let make = { (name: String, schema: StoreSchema, sql: String) in
      let store = try NewStore(at: samplePath(name), schema: schema, durability: .off)
      try store.make(.tables)
      try store.connection.execute(sql + ";UPDATE Z_PRIMARYKEY SET Z_MAX = 3")
      try store.close()
    }
    try make(
      "old.sqlite", old,
      """
      INSERT INTO ZA (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a');
      INSERT INTO ZB (Z_PK, Z_ENT, ZNAME) VALUES (1, 2, NULL), (2, 2, 'b')
      """)
    try make(
      "new.sqlite", new,
      "INSERT INTO ZA (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, NULL), (3, 1, NULL)")
    let result = try Validation(
      store: samplePath("new.sqlite"), schema: new,
      source: Validation.Source(path: samplePath("old.sqlite"), schema: old, mappings: [mapping])
    ).run()
    #expect(result.warnings == 1 && result.errors == 1)
  }
}
