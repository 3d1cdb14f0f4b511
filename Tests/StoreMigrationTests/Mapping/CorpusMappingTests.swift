import CoreDataStore
import StoreMigration
import TestSupport
import Testing

@Suite(
  "Mappings between real models",
  .enabled(if: OutsideMaterial.corpus.isThere, "set PIPELINE_CORPUS"))
struct CorpusMappingTests {
  private static let bookmarks = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  private static let sample = "CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld"
  private static let example =
    "CoreDataMigration-Example/CoreDataMigration-Example/CoreData/Model/"
    + "CoreDataMigration_Example.xcdatamodeld"

  private func mapping(_ path: String, _ from: String, _ to: String) throws -> Mapping {
    Mapping(
      from: try MappingModels.corpus(path, from), to: try MappingModels.corpus(path, to))
  }

  @Test("Bookmarks: every version to every later one is inferred", arguments: 1...5, 2...6)
  func bookmarks(from: Int, to: Int) throws {
    guard from < to else { return }
    let name = { (number: Int) in "BookmarksModel" + (number == 1 ? "" : " \(number)") }
    let mapping = try mapping(Self.bookmarks, name(from), name(to))
    #expect(mapping.isInferable && mapping.added.isEmpty)
    #expect(mapping.objects.allSatisfy { $0.uriBreaks.isEmpty })
    // Version 3 gave up a flag for which version 2 had made a folder.
    let losses = from < 3 && to >= 3 ? ["BookmarkEntity.isFavorite"] : []
    #expect(mapping.problems.map(\.subject) == losses)
    // Version 4 turned a folder's ordered favorites into a many-to-many relationship.
    let favorites = mapping.links(of: PropertyReference("BookmarkEntity", "favorites"))
    #expect(favorites.map(\.move) == [from < 4 && to >= 4 ? .columnToJoin : .same])
    #expect(favorites.map(\.backward.order) == [.kept])
  }

  @Test("the example's versions, of which two needed mapping models")
  func example() throws {
    let name = { (number: Int) in
      "CoreDataMigration_Example" + (number == 1 ? "" : " \(number)")
    }
    let mappings = try (1...3).map { try mapping(Self.example, name($0), name($0 + 1)) }
    #expect(
      mappings.map { $0.problems.map(\.subject) } == [
        ["Post.color"], ["Post.hexColor"], [],
      ])
    #expect(mappings.map(\.isInferable) == [true, true, true])
    #expect(mappings.map(\.added) == [[], ["Color"], []])
  }

  @Test("SampleModel 1 to 2 renames an entity and loses two attributes, 2 to 3 a third")
  func sample() throws {
    let first = try mapping(Self.sample, "SampleModel", "SampleModel2")
    #expect(first.isInferable)
    #expect(first.problems.map(\.subject) == ["Car.color", "Person.id"])
    let renamed = try #require(first.objects(from: "ExpensiveSportCar"))
    #expect(renamed.target == "LuxuryCar" && renamed.rule == .renamedByIdentifier)
    #expect(renamed.uriBreaks == [.entityRenamed] && renamed.keys == .kept)
    let second = try mapping(Self.sample, "SampleModel2", "SampleModel3")
    #expect(second.isInferable && second.added == ["Maker"])
    #expect(second.problems.map(\.subject) == ["Car.maker"])
    #expect(second.objects(from: "LuxuryCar")?.rule == .same)
  }

  @Test("every model to itself: nothing to do, every table the same")
  func itself() throws {
    for (path, version) in [
      (Self.bookmarks, "BookmarksModel 6"), (Self.sample, "SampleModel3"),
      (Self.example, "CoreDataMigration_Example 4"),
    ] {
      let mapping = try mapping(path, version, version)
      #expect(mapping.problems.isEmpty && mapping.added.isEmpty)
      #expect(mapping.objects.allSatisfy { $0.tableIsSame && $0.rule == .same })
      #expect(mapping.links.allSatisfy { $0.move == .same && !$0.mayDiscard })
    }
  }
}
