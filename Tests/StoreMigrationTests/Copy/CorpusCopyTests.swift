import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Copies of the corpus's stores",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct CorpusCopyTests {
  private static let models = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"

  private func builder(_ store: String, _ old: String, _ new: String) throws -> StoreBuilder {
    let source = try CorpusStores.copy(try CorpusStores.named(store))
    let before = try MappingModels.corpus(Self.models, old)
    let after = try MappingModels.corpus(Self.models, new)
    let mapping = Mapping(from: before, to: after)
    return try StoreBuilder(
      at: TemporaryFolder.url.appending(path: "next.sqlite").path, source: source,
      sourceSchema: try StoreSchema(of: before), mapping: mapping,
      targetSchema: try StoreSchema(of: after), contents: NewStoreContents(),
      externalFolder: StoreFiles(source).externalDataFolder)
  }

  @Test(
    "every object arrives, and every value that no rule changes is the same to the bit",
    arguments: [
      ("Bookmarks_V1", "BookmarksModel", "BookmarksModel 2"),
      ("Bookmarks_V2", "BookmarksModel 2", "BookmarksModel 3"),
      ("Bookmarks_V3", "BookmarksModel 3", "BookmarksModel 4"),
      ("Bookmarks_V4", "BookmarksModel 4", "BookmarksModel 5"),
    ])
  func bookmarks(store: String, old: String, new: String) throws {
    let builder = try builder(store, old, new)
    try CopySample.copyAll(builder, limits: ChunkLimits(rows: 7))
    let connection = builder.connection
    var compared = 0
    for object in builder.mapping.objects where !object.isAbstract {
      let before = try builder.sourceLayout(object.source)
      let after = try builder.targetLayout(object.target)
      var pairs = [("Z_PK", "Z_PK"), ("Z_OPT", "Z_OPT")]
      for attribute in object.attributes {
        guard case .source(let name, nil) = attribute.origin, attribute.storage == .none,
          attribute.replacement == nil, case .attribute(let from) = before[name],
          case .attribute(let to) = after[attribute.name]
        else { continue }
        pairs.append((from.name, to.name))
      }
      let from = pairs.map { "\"\($0.0)\"" }.joined(separator: ", ")
      let to = pairs.map { "\"\($0.1)\"" }.joined(separator: ", ")
      let source = try connection.rows(
        "SELECT \(from) FROM source.\(before.table) WHERE Z_ENT = \(before.number) ORDER BY Z_PK")
      let target = try connection.rows(
        "SELECT \(to) FROM main.\(after.table) WHERE Z_ENT = \(after.number) ORDER BY Z_PK")
      #expect(source == target, "\(object.source)")
      compared += source.count
    }
    #expect(compared > 0)
  }

  @Test("links to one object and their order travel with the objects")
  func links() throws {
    let builder = try builder("Bookmarks_V1", "BookmarksModel", "BookmarksModel 2")
    try CopySample.copyAll(builder)
    let columns = try #require(
      builder.targetSchema.table(named: "ZBOOKMARKENTITY")?.columns.filter {
        switch $0.role {
        case .toOne, .destinationEntity, .position:
          builder.sourceSchema.table(named: "ZBOOKMARKENTITY")?.column(named: $0.name) != nil
        default: false
        }
      })
    #expect(!columns.isEmpty)
    for column in columns {
      let sql = "SELECT Z_PK, \(column.name) FROM"
      #expect(
        try builder.connection.rows("\(sql) source.ZBOOKMARKENTITY ORDER BY Z_PK")
          == builder.connection.rows("\(sql) main.ZBOOKMARKENTITY ORDER BY Z_PK"),
        "\(column.name)")
    }
  }
}
