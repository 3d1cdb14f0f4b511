import CoreDataStore
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Mapping models of the corpus",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
struct CorpusMappingModelTests {
  private func mapping(_ name: String) throws -> MappingModel {
    let path = try #require(CorpusModels.paths(endingIn: name + ".xcmappingmodel").first)
    return try MappingModelFile(CorpusModels.file(path)).mapping
  }

  @Test("all four are read, with their order")
  func all() throws {
    let folders = CorpusModels.paths(endingIn: ".xcmappingmodel")
    #expect(folders.count == 4)
    for folder in folders {
      #expect(try !MappingModelFile(CorpusModels.file(folder)).mapping.entities.isEmpty)
    }
  }

  @Test("a value from a property of another name")
  func renamed() throws {
    let post = try #require(try mapping("Migration1to2").entities.first)
    #expect(post.kind == .transform)
    let color = post.attributes.first { $0.name == "hexColor" }
    #expect(color == PropertyMapping(name: "hexColor", value: .source("color"), isExplicit: true))
    let date = post.attributes.first { $0.name == "date" }
    #expect(date == PropertyMapping(name: "date", value: .source("date"), isExplicit: false))
  }

  @Test("a policy class is named, a new entity has no source")
  func policies() throws {
    let mapping = try mapping("Migration2to3")
    #expect(mapping.entities.map(\.name) == ["Color", "PostToPost"])
    #expect(mapping.entities.map(\.kind) == [.add, .custom])
    #expect(
      mapping.entities[1].policyClass == "CoreDataMigration_Example.Post2ToPost3MigrationPolicy")
    #expect(mapping.entities[0].attributes.allSatisfy { $0.value == .none })
  }

  @Test("a relationship filled from another one")
  func relationships() throws {
    let car = try #require(try mapping("V2toV3").entities.first)
    #expect(car.name == "CarToCar")
    let previous = car.relationships.first { $0.name == "previousOwners" }
    #expect(previous?.value == .source("owner"))
  }
}
