import Testing

@testable import LargeStore

@Suite("Chance") struct ChanceTests {
  @Test("a seed gives the same each time, another seed something else")
  func seeds() {
    let numbers = [UInt64(1), 1, 2].map { seed in
      var chance = Chance(seed: seed)
      return (0..<5).map { _ in chance.next() }
    }
    #expect(numbers[0] == numbers[1])
    #expect(numbers[0] != numbers[2])
  }

  @Test("notes have blanks around them and names a blank within")
  func texts() {
    var chance = Chance()
    let notes = (0..<50).map { _ in chance.note() }
    #expect(notes.contains { $0.hasPrefix(" ") })
    #expect(notes.contains { $0.hasSuffix("  ") })
    #expect((0..<50).allSatisfy { _ in chance.name().contains(" ") })
    #expect(chance.words(3).split(separator: " ").count == 3)
  }
}
