import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Indexes") struct SchemaPredictionTests {
  @Test("every to-one has an index, and a table of several entities one over their numbers")
  func keys() throws {
    let schema = try M.schema(
      M.entity("Item", M.toOne("box", "Box")), M.entity("Tool", parent: "Item"), M.entity("Box"))
    #expect(
      schema.indexes.map(\.sql) == [
        "CREATE INDEX ZITEM_ZBOX_INDEX ON ZITEM (ZBOX)",
        "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
      ])
  }

  @Test("a uniqueness constraint of a sub-entity lies on the table of its root")
  func uniqueness() throws {
    let schema = try M.schema(
      M.entity("Base", M.attribute("name")),
      M.entity("Child", parent: "Base", M.attribute("code"), M.unique("code", "name")))
    #expect(
      schema.indexes.last?.sql
        == "CREATE UNIQUE INDEX Z_Child_UNIQUE_code_name ON ZBASE "
        + "(ZCODE COLLATE BINARY ASC, ZNAME COLLATE BINARY ASC)")
    #expect(schema.indexes.last?.isUnique == true)
  }

  @Test("a uniqueness constraint over what is not stored is reported")
  func lostUniqueness() throws {
    let schema = try M.schema(
      M.entity("Item", M.attribute("a", "String", "transient=\"YES\""), M.unique("a")))
    #expect(schema.indexes.isEmpty)
    #expect(schema.doubts.map(\.subject) == ["uniqueness constraint of Item"])
  }

  @Test("fetch indexes say collation and direction; `entity` is Z_ENT")
  func fetchIndexes() throws {
    let entity = "<fetchIndexElement expression=\"entity\" type=\"Binary\" order=\"ascending\"/>"
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"), M.attribute("stamp", "Date"), M.toOne("box", "Note"),
        M.index("byStamp", "-stamp", "title"), M.index("byBoth", "box", "-title"),
        "<fetchIndex name=\"byEntity\">\(entity)</fetchIndex>"))
    #expect(
      schema.indexes.dropFirst().map(\.sql) == [
        "CREATE INDEX Z_Note_byBoth ON ZNOTE (ZBOX COLLATE BINARY ASC, ZTITLE COLLATE BINARY DESC)",
        "CREATE INDEX Z_Note_byEntity ON ZNOTE (Z_ENT COLLATE BINARY ASC)",
        "CREATE INDEX Z_Note_byStamp ON ZNOTE "
          + "(ZSTAMP COLLATE BINARY DESC, ZTITLE COLLATE BINARY ASC)",
      ])
  }

  @Test("an index over one attribute brings another of the attribute's name")
  func indexedAttribute() throws {
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"), M.attribute("body"),
        M.attribute("old", "String", "indexed=\"YES\""), M.index("byTitle", "title"),
        M.index("byBoth", "body", "title"), M.index("title", "title")))
    #expect(
      schema.indexes.map(\.name) == [
        "Z_Note_old", "Z_Note_title", "Z_Note_byBoth", "Z_Note_byTitle",
      ])
  }

  @Test("an older index over several properties has their names")
  func compoundIndex() throws {
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"), M.toOne("box", "Note"),
        "<compoundIndexes><compoundIndex><index value=\"title\"/><index value=\"box\"/>"
          + "</compoundIndex></compoundIndexes>"))
    #expect(
      schema.indexes.last?.sql == "CREATE INDEX Z_Note_title_box ON ZNOTE "
        + "(ZTITLE COLLATE BINARY ASC, ZBOX COLLATE BINARY ASC)")
  }

  @Test("the index of a table's entities is left out where the model asks for that")
  func omittedEntityIndex() throws {
    let key = "_NSEntityOmitSubentityColumnIndex"
    for (value, isMade) in [("yes", false), ("1", false), ("NO", true)] {
      let schema = try M.schema(
        M.entity(
          "Note",
          "<userInfo><entry key=\"\(key)\" value=\"\(value)\"/></userInfo>"
        ),
        "<entity name=\"Memo\" parentEntity=\"Note\"/>")
      #expect(schema.indexes.map(\.name).contains("ZNOTE_Z_ENT_INDEX") == isMade)
    }
  }

  @Test("a fetch index over a to-one alone is the index that is there already")
  func toOne() throws {
    let schema = try M.schema(M.entity("Note", M.toOne("box", "Note"), M.index("byBox", "box")))
    #expect(schema.indexes.map(\.name) == ["ZNOTE_ZBOX_INDEX"])
    #expect(schema.doubts.isEmpty)
  }

  @Test("a partial index has a condition; one that is not understood is reported, not made")
  func partial() throws {
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"), M.attribute("kind", "Integer 16"),
        M.index("titled", "title", "kind", where: "title != nil"),
        M.index("strange", "title", "kind", where: "title BEGINSWITH 'a'")))
    #expect(
      schema.indexes.map(\.sql) == [
        "CREATE INDEX Z_Note_titled ON ZNOTE "
          + "(ZTITLE COLLATE BINARY ASC, ZKIND COLLATE BINARY ASC) WHERE ZTITLE IS NOT NULL"
      ])
    #expect(schema.doubts.map(\.subject) == ["fetch index Note.strange"])
    #expect(schema.doubts[0].why.contains("BEGINSWITH"))
  }

  @Test("computed elements are reported, not made")
  func notUnderstood() throws {
    let lower = "<fetchIndexElement expression=\"lowercase:(title)\" type=\"Binary\"/>"
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"), "<fetchIndex name=\"lower\">\(lower)</fetchIndex>"))
    #expect(schema.indexes.isEmpty)
    #expect(schema.doubts.contains { $0.subject == "fetch index Note.lower" })
  }

  @Test("every table is new, so that the names are those of today, whatever wrote the source")
  func oldFramework() throws {
    let schema = try M.schema(
      M.entity("Note", M.attribute("title"), M.toOne("box", "Note"), M.index("byTitle", "title")),
      framework: 640)
    #expect(schema.indexes.map(\.name) == ["ZNOTE_ZBOX_INDEX", "Z_Note_title", "Z_Note_byTitle"])
    #expect(schema.doubts.isEmpty)
  }

  @Test("relationships to many are no part of an index")
  func passedOver() throws {
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"),
        "<relationship name=\"notes\" toMany=\"YES\" optional=\"YES\" "
          + "destinationEntity=\"Note\"/>",
        M.index("byBoth", "notes", "title")))
    #expect(schema.indexes.last?.parts.map(\.column) == ["ZTITLE"])
  }
}
