import CoreDataStore
import StoreMigration
import Testing

@Suite("What happens to an entity through several steps")
struct EntityCourseTests {
  private static let text = LossSample.attribute("t", "String")

  private func steps() throws -> [Mapping] {
    let first = try MappingModels.model(
      "<entity name=\"A\">\(Self.text)\(LossSample.attribute("n", "Integer 16"))"
        + "\(LossSample.attribute("x", "String"))</entity><entity name=\"Z\">\(Self.text)</entity>",
      name: "1")
    let second = try MappingModels.model(
      "<entity name=\"B\">\(LossSample.attribute("u", "String"))"
        + "\(LossSample.attribute("n", "Integer 32"))</entity>", name: "2")
    let third = try MappingModels.model(
      "<entity name=\"B\">\(LossSample.attribute("v", "String"))"
        + LossSample.attribute("w", "String") + LossSample.attribute("n", "Integer 64")
        + "</entity>",
      name: "3")
    var rename = MappingInstructions()
    rename.renames = [EntityRename(entity: "A", to: "B", properties: ["t": "u"])]
    rename.drops = [NamedInstruction("A.x"), NamedInstruction("Z")]
    var split = MappingInstructions()
    split.maps = [EntityMap(entity: "B", attributes: ["v": .from("u"), "w": .from("u")])]
    return [
      Mapping(from: first, to: second, instructions: rename),
      Mapping(from: second, to: third, instructions: split),
    ]
  }

  @Test("names are followed from step to step, and one value may have two places")
  func followed() throws {
    let course = EntityCourse(of: "A", through: try steps())
    #expect(course.target == "B")
    #expect(course.names == ["A", "B"])
    #expect(course.attributes == ["t": ["v", "w"], "n": ["n"]])
    #expect(course.conversions["n"]?.map(\.target) == [.integer32, .integer64])
    #expect(course.ends == ["x": .dropped(isDeclared: true)])
  }

  @Test("an entity that ends has no target, and says why") func ended() throws {
    let course = EntityCourse(of: "Z", through: try steps())
    #expect(course.target == nil)
    #expect(course.names == ["Z"])
    #expect(course.fate == .dropped(isDeclared: true))
  }

  @Test("without a step an entity stays what it is") func none() {
    let course = EntityCourse(of: "A", through: [])
    #expect(course.target == "A")
    #expect(course.names == [])
  }
}
