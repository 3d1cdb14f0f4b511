import CoreDataStore
import StoreMigration
import Testing

@Suite("Hierarchies that change")
struct HierarchyMappingTests {
  private typealias M = MappingModels

  private static let x = MappingModels.attribute("x", "Date")
  private static let apart = "<entity name=\"Cat\">\(x)</entity><entity name=\"Dog\">\(x)</entity>"
  private static let together = """
    <entity name="Animal" isAbstract="YES">\(x)</entity>
    <entity name="Cat" parentEntity="Animal"/><entity name="Dog" parentEntity="Animal"/>
    """

  @Test("a parent that is added over one root, and one that is removed")
  func parents() throws {
    let one = "<entity name=\"Dog\">\(Self.x)</entity>"
    let below = """
      <entity name="Animal" isAbstract="YES">\(Self.x)</entity>
      <entity name="Dog" parentEntity="Animal"/>
      """
    for (before, after) in [(one, below), (below, one)] {
      let mapping = try M.mapping(before, after)
      #expect(mapping.problems.isEmpty)
      #expect(mapping.objects(from: "Dog")?.attribute(named: "x")?.source == "x")
      #expect(mapping.objects(from: "Dog")?.keys == .kept)
    }
  }

  @Test("entities that leave a hierarchy keep their keys, and properties move down")
  func leaving() throws {
    let mapping = try M.mapping(Self.together, Self.apart)
    #expect(mapping.problems.isEmpty)
    for entity in ["Cat", "Dog"] {
      #expect(mapping.objects(from: entity)?.fate(of: "x") == .kept)
      #expect(mapping.objects(from: entity)?.uriBreaks == [])
    }
    #expect(mapping.fate(of: "Animal") == .dropped(isDeclared: true))
  }

  @Test("properties move up and down within a hierarchy")
  func moving() throws {
    let x = M.attribute("x", "Date", "optional=\"YES\"")
    let low = """
      <entity name="A"/><entity name="K" parentEntity="A">\(x)
      <relationship name="r" optional="YES" maxCount="1" destinationEntity="A"/></entity>
      """
    let high = """
      <entity name="A">\(x)
      <relationship name="r" optional="YES" maxCount="1" destinationEntity="A"/></entity>
      <entity name="K" parentEntity="A"/>
      """
    let up = try M.mapping(low, high)
    #expect(up.problems.isEmpty)
    #expect(up.objects(from: "K")?.attribute(named: "x")?.rule == .same)
    #expect(up.objects(from: "A")?.attribute(named: "x")?.rule == .null)
    #expect(up.links.map(\.forward.source) == [PropertyReference("K", "r")])
    let down = try M.mapping(high, low)
    #expect(Set(down.problems.map(\.subject)) == ["A.x", "A.r"])
    #expect(down.problems.allSatisfy { $0.kind == .loss })
  }

  @Test("roots are not merged by inference")
  func merging() throws {
    let mapping = try M.mapping(Self.apart, Self.together)
    let problem = try #require(mapping.problems.first)
    #expect(mapping.problems.count == 1)
    #expect(problem.kind == .notInferable && problem.subject == "Animal")
    #expect(problem.snippet == "map { entity = \"Dog\", from = \"Dog\" }")
  }

  @Test("roots are merged when the file says so, and one of them gets new keys")
  func merged() throws {
    let mapping = try M.mapping(Self.apart, Self.together) {
      $0.maps = [EntityMap(entity: "Dog", from: "Dog")]
    }
    #expect(mapping.problems.isEmpty)
    #expect(mapping.objects(from: "Cat")?.keys == .kept)
    #expect(mapping.objects(from: "Dog")?.keys == .renumbered)
    #expect(mapping.objects(from: "Dog")?.uriBreaks == [.newKeys])
  }

  @Test("two entities become one")
  func union() throws {
    let mapping = try M.mapping(Self.apart, "<entity name=\"Cat\">\(Self.x)</entity>") {
      $0.maps = [EntityMap(entity: "Cat", from: "Dog")]
    }
    #expect(mapping.problems.isEmpty)
    #expect(mapping.objects(into: "Cat").map(\.source) == ["Cat", "Dog"])
    #expect(mapping.objects(into: "Cat").map(\.keys) == [.kept, .renumbered])
    #expect(mapping.objects(from: "Dog")?.uriBreaks == [.entityRenamed, .newKeys])
  }

  @Test("entities of one table become one without new keys")
  func oneTable() throws {
    let mapping = try M.mapping(Self.together, "<entity name=\"Pet\">\(Self.x)</entity>") {
      $0.maps = [EntityMap(entity: "Pet", from: "Dog"), EntityMap(entity: "Pet", from: "Cat")]
    }
    #expect(mapping.problems.isEmpty)
    #expect(mapping.objects(into: "Pet").map(\.keys) == [.kept, .kept])
  }
}
