import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Entities and their numbers", .temporaryFolder) struct EntityPlacesTests {
  /// Animal with its child Dog, and Person: numbers 1, 2 and 3 by the model.
  private static func model() throws -> Model {
    try Model(
      name: "Zoo",
      entities: [
        Entity(name: "Animal"), Entity(name: "Dog", parent: "Animal"), Entity(name: "Person"),
      ])
  }

  /// A store of that model whose Z_PRIMARYKEY is what the test says.
  private func facts(_ rows: String) throws -> StoreFacts {
    let model = try Self.model()
    let models = samplePath("Zoo.xcdatamodel")
    try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
    try Data(ModelWriter(model).xml.utf8).write(to: URL(filePath: models + "/contents"))
    let path = try StoreSample.make(entries: StoreSample.metadata(of: model)) { store in
      try store.execute(
        """
        DELETE FROM Z_PRIMARYKEY; INSERT INTO Z_PRIMARYKEY VALUES \(rows);
        CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZANIMAL VALUES (1, 1, 1), (2, 2, 1), (3, 2, 1);
        UPDATE ZPERSON SET Z_ENT = 3;
        """)
    }
    let store = try Store(path)
    return try store.facts(store.recognise(among: ModelSource([models])))
  }

  @Test("sub-entities share their root's table and its bytes")
  func family() throws {
    let facts = try facts("(1, 'Animal', 0, 3), (2, 'Dog', 1, 0), (3, 'Person', 0, 3)")
    #expect(facts.entities.map(\.table) == ["ZANIMAL", "ZANIMAL", "ZPERSON"])
    #expect(facts.entities.map(\.parent) == [nil, "Animal", nil])
    #expect(facts.entities.map(\.parentNumber) == [0, 1, 0])
    #expect(facts.entities.map(\.rows) == [1, 2, 3])
    #expect(facts.entities.map(\.bytes).prefix(2) == [1365, 2730])
  }

  @Test("a renamed entity is found by the model's number, and its old name is reported")
  func renamed() throws {
    let facts = try facts("(1, 'Animal', 0, 3), (2, 'Hound', 1, 0), (3, 'Person', 0, 3)")
    #expect(facts.entities.map(\.name) == ["Animal", "Dog", "Person"])
    #expect(facts.entities.map(\.rows) == [1, 2, 3])
    #expect(facts.warnings.map(\.subject) == ["entity Dog"])
  }

  @Test("where Z_PRIMARYKEY has other numbers than the model, the model's count")
  func otherNumbers() throws {
    let facts = try facts("(2, 'Dog', 1, 0), (1, 'Animal', 0, 3), (4, 'Person', 0, 3)")
    #expect(facts.entities.map(\.number) == [1, 2, 3])
    #expect(facts.entities.map(\.rows) == [1, 2, 3])
    #expect(
      facts.warnings.map(\.description) == [
        "entity Person: Z_PRIMARYKEY gives it the number 4; its objects are those of the model's "
          + "number, 3."
      ])
  }

  @Test("entities and parents that only Z_PRIMARYKEY has are reported")
  func strangers() throws {
    let facts = try facts(
      "(1, 'Animal', 0, 3), (2, 'Dog', 3, 0), (3, 'Person', 0, 3), (4, 'Ghost', 0, 0)")
    let text = facts.warnings.map(\.description).joined(separator: "\n")
    #expect(text.contains("Ghost is not in the model"))
    #expect(text.contains("entity Dog: Z_PRIMARYKEY gives it the parent 3, the model 1"))
  }

  @Test("an entity without a number is an error that names it")
  func unnumbered() throws {
    let error = #expect(throws: Failure.self) {
      _ = try facts("(1, 'Animal', 0, 3), (2, 'Dog', 1, 0)")
    }
    #expect(error?.subject.contains("entity Person") == true)
  }

  @Test("many parents above each other are walked once, by their numbers alone")
  func longLine() throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        DELETE FROM Z_PRIMARYKEY;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15999)
        INSERT INTO Z_PRIMARYKEY SELECT i, iif(i = 1, 'Person', 'E' || i), i - 1, 0 FROM n
        """)
    }
    let store = try Store(path)
    let places = try store.entityPlaces(nil, store.primaryKeys())
    #expect(places.tables == ["ZPERSON"])
    #expect(places.entities(in: "ZPERSON").count == 15_999)
    #expect(places.all.last?.parent == "E15998")
  }

  @Test(
    "parents that lead nowhere are an error",
    arguments: [
      "(1, 'A', 2, 0), (2, 'B', 1, 0)", "(1, 'A', 7, 0)", "(1, 'A', -1, 0)",
      "(1, 'A', 16001, 0), (16001, 'CHANGE', 0, 0)",
    ])
  func noRoot(rows: String) throws {
    let path = try StoreSample.make {
      try $0.execute("DELETE FROM Z_PRIMARYKEY; INSERT INTO Z_PRIMARYKEY VALUES \(rows)")
    }
    let error = StoreSample.error(opening: path)
    #expect(error?.why.contains("do not lead to an entity without a parent") == true)
  }

  @Test("bytes are guessed where neither we nor SQLite can count pages")
  func guessedBytes() throws {
    let store = try Store(
      StoreSample.make { try $0.execute("CREATE TABLE dbstat (name NOT NULL, pgsize, aggregate)") })
    let facts = try store.facts(store.recognise())
    #expect(facts.areBytesEstimated)
    #expect(facts.entities[0].bytes == facts.files.bytes)
  }
}
