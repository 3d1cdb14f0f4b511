import SQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

private typealias M = SchemaModels

@Suite("Why the objects of a database are there", .temporaryFolder) struct SchemaSurveyTests {
  private static let model = [
    M.entity(
      "Item", M.attribute("title"), M.toMany("tags", "Tag", inverse: "items"),
      M.index("byTitle", "title")),
    M.entity("Tag", M.toMany("items", "Item", inverse: "tags")),
  ]

  /// A new store of the model, and what `sql` adds to it.
  private func survey(_ sql: String, knowsModel: Bool = true) throws -> SchemaSurvey {
    let schema = try M.schema(Self.model[0], Self.model[1])
    try NewStore.make(at: samplePath("n.sqlite"), schema: schema)
    var mode = OpenMode.own(create: false)
    mode.durability = .off
    let connection = try Connection(path: samplePath("n.sqlite"), mode: mode)
    defer { try? connection.close() }
    try connection.execute(sql)
    return SchemaSurvey(
      try Schema(of: connection), expected: knowsModel ? schema : nil,
      entityTables: ["ZITEM", "ZTAG"])
  }

  @Test("all that a model asks for is explained", arguments: [true, false])
  func explained(knowsModel: Bool) throws {
    let survey = try survey("", knowsModel: knowsModel)
    #expect(survey.foreign.isEmpty && survey.joins == ["Z_1TAGS"] && survey.cloudKit.isEmpty)
  }

  @Test("CHECK clauses of Core Data's own tables are foreign, those of other tables go with them")
  func constraints() throws {
    let survey = try survey(
      """
      CREATE TABLE Z_METADATA2 (a CHECK (a > 0)); DROP TABLE ZTAG;
      CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER check(Z_ENT > 1))
      """)
    #expect(
      survey.foreign.map { "\($0.kind) \($0.name) \($0.table)" } == [
        "constraint check(Z_ENT > 1) ZTAG", "table Z_METADATA2 Z_METADATA2",
      ])
  }

  @Test("an index under an old name is explained by its columns, others are not")
  func indexes() throws {
    let survey = try survey(
      """
      CREATE INDEX Z_Thing_byTitle ON ZITEM (ZTITLE COLLATE BINARY ASC);
      CREATE INDEX mine ON ZITEM (Z_OPT);
      """)
    #expect(survey.foreign.map(\.name) == ["mine"])
    #expect(survey.foreign.map(\.table) == ["ZITEM"])
  }

  @Test("tables that look like pairs are foreign where the model has none of that name")
  func strangePairs() throws {
    let sql = "CREATE TABLE Z_9OTHERS (a, b); CREATE TABLE Z_NOTHING (a)"
    let known = try survey(sql)
    #expect(known.joins == ["Z_1TAGS"])
    #expect(known.foreign.map(\.name) == ["Z_9OTHERS", "Z_NOTHING"])
  }

  @Test("without a model the shape of the name decides about pairs")
  func guessedPairs() throws {
    let guessed = try survey(
      "CREATE TABLE Z_9OTHERS (a, b); CREATE TABLE Z_NOTHING (a)", knowsModel: false)
    #expect(guessed.joins == ["Z_1TAGS", "Z_9OTHERS"])
    #expect(guessed.foreign.map(\.name) == ["Z_NOTHING"])
  }

  @Test("triggers have their purpose from their names, CloudKit its tables from theirs")
  func triggers() throws {
    let survey = try survey(
      """
      CREATE TABLE ANSCKEVENT (a); CREATE INDEX ck ON ANSCKEVENT (a);
      CREATE TRIGGER Z_DA_x AFTER INSERT ON ZITEM BEGIN SELECT 1; END;
      CREATE TRIGGER Z_RT_x AFTER INSERT ON ZITEM BEGIN SELECT 1; END;
      CREATE TRIGGER other AFTER INSERT ON ZTAG BEGIN SELECT 1; END;
      """)
    #expect(survey.triggers.map(\.purpose) == [.derived, .spatial, .foreign])
    #expect(survey.cloudKit == ["ANSCKEVENT"])
    #expect(survey.foreign.map(\.kind) == ["trigger"])
  }

  @Test("a spatial table that the model does not have is foreign, its shadow tables too")
  func spatial() throws {
    let sql = "CREATE VIRTUAL TABLE Z_RT_Item_place USING rtree (id, a, b)"
    let names = try survey(sql).foreign.map { "\($0.kind) \($0.name)" }
    #expect(names.contains("virtual table Z_RT_Item_place"))
    #expect(names.contains("table Z_RT_Item_place_node"))
  }

  @Test("without a model the shape of the name decides about spatial tables")
  func guessedSpatial() throws {
    let sql = "CREATE VIRTUAL TABLE Z_RT_Item_place USING rtree (id, a, b)"
    #expect(try survey(sql, knowsModel: false).foreign.isEmpty)
  }
}
