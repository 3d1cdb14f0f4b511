import CoreDataStore
import Testing

@Suite("Order of names")
struct NameOrderTests {
  @Test("names are ordered by UTF-16 unit: capitals before small letters") func order() {
    #expect(["b", "B", "a", "é", "A1", "A"].sortedByName() == ["A", "A1", "B", "a", "b", "é"])
    // U+1F600 is the surrogates D83D DE00, which stand before U+FB01.
    #expect(["\u{FB01}", "\u{1F600}"].sortedByName() == ["\u{1F600}", "\u{FB01}"])
  }

  @Test("each of a sorted list is found, and nothing else", arguments: 0...5)
  func find(count: Int) {
    let names = Array(["B", "a", "b", "c", "d"].prefix(count))
    let properties = names.reversed().map { Attribute(name: $0, type: .string) }.sortedByName()
    #expect(properties.map(\.name) == names)
    #expect(names.allSatisfy { properties.sortedFind($0)?.name == $0 })
    #expect(["", "A", "aa", "z"].allSatisfy { properties.sortedFind($0) == nil })
  }
}
