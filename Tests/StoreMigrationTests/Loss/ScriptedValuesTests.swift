import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Values that were given to a script", .temporaryFolder)
struct ScriptedValuesTests {
  /// Items with a picture, which a script makes photos of: made here by hand.
  private func losses(_ photos: String) throws -> [String] {
    let old = try MappingModels.model(
      "<entity name=\"Item\">\(LossSample.attribute("name", "String"))"
        + "\(LossSample.attribute("image", "Binary"))\(LossSample.attribute("n", "Integer 16"))"
        + "</entity>", name: "1")
    let new = try MappingModels.model(
      "<entity name=\"Item\">\(LossSample.attribute("name", "String"))</entity>"
        + "<entity name=\"Photo\">\(LossSample.attribute("data", "Binary"))</entity>", name: "2")
    var instructions = MappingInstructions()
    instructions.scripts = [ScriptClaim(entity: "Item", reads: ["image", "n"], makesObjects: true)]
    let (before, after) = (try StoreSchema(of: old), try StoreSchema(of: new))
    let folder = TemporaryFolder.url
    func path(_ name: String) -> String { folder.appending(path: name).path }
    for (name, schema, rows) in [
      (
        "a.sqlite", before,
        """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE, ZN) VALUES (1, 1, 1, 'x', x'01', 5),
          (2, 1, 1, 'y', x'02', 6), (3, 1, 1, NULL, NULL, NULL)
        """
      ), ("b.sqlite", after, photos),
    ] {
      let store = try NewStore(at: path(name), schema: schema)
      try store.make(.tables)
      try store.connection.execute(rows)
      try store.close()
    }
    let objects = try Connection(path: path("objects.sqlite"), mode: .own(create: true))
    try objects.execute(
      """
      CREATE TABLE pipeline_objects (source_entity, source, entity, object, place);
      INSERT INTO pipeline_objects VALUES (1, 1, 1, 1, 0), (1, 1, 2, 7, 1), (1, 2, 1, 2, 0),
        (1, 2, 2, 8, 1), (1, 3, 1, 3, 0)
      """)
    try objects.close()
    return try LossCount(
      of: VerifiedStore(path: path("a.sqlite"), schema: before, externalFolders: []),
      in: VerifiedStore(path: path("b.sqlite"), schema: after, externalFolders: []),
      [Mapping(from: old, to: new, instructions: instructions)],
      associations: path("objects.sqlite")
    ).run().map(LossSample.line)
  }

  private static let items = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
      (1, 1, 1, 'x'), (2, 1, 1, 'y'), (3, 1, 1, NULL);
    """

  @Test("they are looked for among those of the objects that were made of theirs") func found()
    throws
  {
    let lines = try losses(
      Self.items
        + "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (7, 2, 1, x'01'), (8, 2, 1, x'02')"
    )
    #expect(lines.contains("Item.image scripted to Photo.data 2, 2 arrived"))
    #expect(lines.contains("Item.n scripted 2, 0 arrived"))
  }

  @Test("one that is another object's is not found") func swapped() throws {
    let lines = try losses(
      Self.items
        + "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (7, 2, 1, x'01'), (8, 2, 1, x'01')"
    )
    #expect(lines.contains("Item.image scripted to Photo.data 2, 1 arrived"))
  }
}
