import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Spatial indexes", .temporaryFolder) struct SpatialIndexTests {
  private static let place = M.entity(
    "Place", M.attribute("lat", "Float"), M.attribute("lon", "Float"),
    M.index("byPlace", "lat", "lon", type: "RTree"))

  @Test("a spatial fetch index is a virtual table with three triggers")
  func fetchIndex() throws {
    let schema = try M.schema(Self.place)
    #expect(schema.indexes.isEmpty)
    #expect(
      schema.spatialIndexes.map(\.sql) == [
        "CREATE VIRTUAL TABLE Z_Place_byPlace USING RTREE "
          + "(Z_PK INTEGER PRIMARY KEY, ZLAT_MIN, ZLAT_MAX, ZLON_MIN, ZLON_MAX)"
      ])
    #expect(
      schema.triggers.map(\.name) == [
        "Z_Place_byPlace_INSERT", "Z_Place_byPlace_UPDATE", "Z_Place_byPlace_DELETE",
      ])
    #expect(schema.doubts.isEmpty)
  }

  @Test("a location attribute has a table of its root's and its own name")
  func location() throws {
    let info =
      "<userInfo><entry key=\"_NSLocationAttributeDerivedComponents\" value=\"lat, lon\"/>"
      + "</userInfo>"
    let schema = try M.schema(
      M.entity(
        "Asset", M.attribute("lat", "Double"), M.attribute("lon", "Double"),
        "<attribute name=\"area\" transient=\"YES\" attributeType=\"Undefined\">\(info)</attribute>"
      ))
    #expect(
      schema.spatialIndexes.map(\.sql) == [
        "CREATE VIRTUAL TABLE Z_RT_Asset_area USING RTREE (Z_PK INTEGER PRIMARY KEY, "
          + "ZLAT_MIN FLOAT, ZLAT_MAX FLOAT, ZLON_MIN FLOAT, ZLON_MAX FLOAT)"
      ])
    #expect(schema.doubts.isEmpty)
  }

  @Test("a location attribute that does not name two stored numbers is reported")
  func lostLocation() throws {
    let info =
      "<userInfo><entry key=\"_NSLocationAttributeDerivedComponents\" value=\"lat\"/></userInfo>"
    let schema = try M.schema(
      M.entity(
        "Asset", M.attribute("lat", "Double"),
        "<attribute name=\"area\" transient=\"YES\" attributeType=\"Undefined\">\(info)</attribute>"
      ))
    #expect(schema.spatialIndexes.isEmpty)
    #expect(schema.doubts.map(\.subject) == ["location attribute Asset.area"])
  }

  @Test("the tree is filled from the rows there are, and the triggers keep it")
  func behaviour() throws {
    let path = TemporaryFolder.url.appending(path: "a.sqlite").path
    let store = try NewStore(at: path, schema: try M.schema(Self.place))
    try store.make(.tables)
    let rows = "(1, 1, 1, 1.5, 2.5), (2, 1, 1, NULL, 2.5)"
    let columns = "(Z_PK, Z_ENT, Z_OPT, ZLAT, ZLON)"
    try store.connection.execute("INSERT INTO ZPLACE \(columns) VALUES \(rows)")
    try store.make(.indexes)
    try store.make(.triggers)
    try store.close()

    var mode = OpenMode.own(create: false)
    mode.guards.triggers = true
    let connection = try Connection(path: path, mode: mode)
    // Core Data trusts its own schema; without that no trigger may use a virtual table.
    try connection.execute("PRAGMA trusted_schema = ON")
    let count = "SELECT count(*) FROM Z_Place_byPlace"
    #expect(try connection.integer(count) == 1)
    try connection.execute("INSERT INTO ZPLACE \(columns) VALUES (3, 1, 1, 7, 8)")
    #expect(try connection.integer("\(count) WHERE ZLAT_MIN >= 7 AND ZLON_MAX <= 8") == 1)
    try connection.execute("UPDATE ZPLACE SET ZLAT = 20 WHERE Z_PK = 3")
    #expect(try connection.integer("\(count) WHERE ZLAT_MIN = 20") == 1)
    try connection.execute("DELETE FROM ZPLACE WHERE Z_PK = 1")
    #expect(try connection.integer(count) == 1)
  }
}
