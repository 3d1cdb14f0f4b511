import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreReplacement
import TestSupport
import Testing

@Suite("Which object came of which, through several steps", .temporaryFolder)
struct RunAssociationsTests {
  private static let text = LossSample.attribute("t", "String")

  private struct Sample {
    let folder: WorkFolder
    let mappings: [Mapping]
    let schemas: [StoreSchema]

    /// Three versions of the entities A and B, and a store of the first with two objects of each.
    init() throws {
      let models = try (1...3).map { number in
        try MappingModels.model(
          "<entity name=\"A\">\(text)</entity><entity name=\"B\">\(text)</entity>",
          name: "\(number)")
      }
      schemas = try models.map { try StoreSchema(of: $0) }
      mappings = [
        Mapping(from: models[0], to: models[1]), Mapping(from: models[1], to: models[2]),
      ]
      let store = TemporaryFolder.url.appending(path: "S.sqlite")
      try Data("x".utf8).write(to: store)
      folder = try WorkFolder(store: store.path)
      try folder.make()
      let source = try NewStore(at: folder.sourcePath, schema: schemas[0])
      try source.make(.tables)
      try source.connection.execute(
        """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1)
        """)
      try source.close()
    }

    /// Writes what a step has noted.
    func note(_ step: Int, _ rows: String, merged: String? = nil) throws {
      let file = try Connection(
        path: folder.associations(ofStep: step), mode: .own(create: true))
      try file.execute(
        """
        CREATE TABLE pipeline_objects (source_entity INTEGER, source INTEGER, entity INTEGER,
        object INTEGER, place INTEGER);
        \(rows.isEmpty ? "" : "INSERT INTO pipeline_objects VALUES \(rows)")
        """)
      if let merged {
        try file.execute(
          """
          CREATE TABLE pipeline_merged (source_entity INTEGER, source INTEGER, entity INTEGER,
          object INTEGER);
          INSERT INTO pipeline_merged VALUES \(merged)
          """)
      }
      try file.close()
    }

    /// What is reported of all steps.
    func told(_ table: String = "pipeline_objects") throws -> [[Int64?]]? {
      guard let path = try RunAssociations.file(in: folder, mappings, schemas) else { return nil }
      let file = try Connection(path: path, mode: .foreign)
      defer { try? file.close() }
      return try file.rows(
        """
        SELECT source_entity, source, entity, object FROM \(table)
        ORDER BY 1, 2, 3, 4
        """
      ).map { $0.map(\.integer) }
    }
  }

  @Test("what took the place of an object is followed: merged before, after, and twice")
  func merged() throws {
    let sample = try Sample()
    // A 1 goes into A 2; then A 2 into A 9, which the second step has made, and B 1 into B 2.
    try sample.note(0, "", merged: "(1, 1, 1, 2)")
    #expect(try sample.told("pipeline_merged") == [[1, 1, 1, 2]])
    try sample.note(1, "", merged: "(1, 2, 1, 9), (2, 1, 2, 2)")
    #expect(
      try sample.told("pipeline_merged") == [
        [1, 1, 1, 2], [1, 1, 1, 9], [1, 2, 1, 9], [2, 1, 2, 2],
      ])
  }

  @Test("what took the place of an object is followed through keys that are given again")
  func mergedAndRenumbered() throws {
    let sample = try Sample()
    try sample.note(0, "(1, 1, 1, 11, 0), (1, 2, 1, 12, 0)", merged: "(2, 1, 2, 2)")
    try sample.note(1, "(2, 1, 2, 21, 0), (2, 2, 2, 22, 0)", merged: "(1, 11, 1, 12)")
    #expect(try sample.told("pipeline_merged") == [[1, 1, 1, 12], [2, 1, 2, 22]])
  }

  @Test("where keys say it all there is no file") func none() throws {
    #expect(try Sample().told() == nil)
  }

  @Test("what only the first step has noted is carried on by keys") func first() throws {
    let sample = try Sample()
    try sample.note(0, "(1, 1, 1, 11, 0), (1, 1, 2, 12, 1), (1, 2, 1, 21, 0)")
    #expect(try sample.told() == [[1, 1, 1, 11], [1, 1, 2, 12], [1, 2, 1, 21]])
  }

  @Test("what only the second step has noted begins at the keys of the source") func second() throws
  {
    let sample = try Sample()
    try sample.note(1, "(2, 1, 2, 7, 0), (2, 2, 2, 7, 0)")
    #expect(try sample.told() == [[2, 1, 2, 7], [2, 2, 2, 7]])
  }

  @Test("what both have noted is put together") func both() throws {
    let sample = try Sample()
    try sample.note(0, "(1, 1, 1, 11, 0), (1, 1, 2, 12, 1), (1, 2, 1, 21, 0)")
    try sample.note(1, "(1, 11, 1, 5, 0), (1, 11, 1, 6, 1), (1, 21, 2, 7, 0)")
    #expect(
      try sample.told() == [[1, 1, 1, 5], [1, 1, 1, 6], [1, 1, 2, 12], [1, 2, 2, 7]])
  }
}
