import CoreDataStore
import Testing

@Suite("Attribute types")
struct AttributeTypeTests {
  @Test("a known type is found by its name and by its number", arguments: AttributeType.allCases)
  func known(type: AttributeType) throws {
    #expect(AttributeType(name: type.name) == type)
    #expect(AttributeType(code: Int64(try #require(type.code))) == type)
  }

  @Test("an unknown type keeps the name or number that its model gives, and has no code")
  func unknown() {
    #expect(AttributeType(name: "Hologram") == .unknown("Hologram"))
    #expect(AttributeType(code: 2300) == .unknown("2300"))
    #expect(AttributeType(code: .max) == .unknown("9223372036854775807"))
    #expect(AttributeType.unknown("2300").code == nil)
  }

  @Test("three types are whole numbers") func integers() {
    #expect(AttributeType.allCases.filter(\.isInteger) == [.integer16, .integer32, .integer64])
  }
}
