import Testing

@testable import CoreDataStore

@Suite("Differences of relationships")
struct RelationshipAspectsTests {
  private static let match = RenamingMatch(
    source: [.init(name: "A", identifier: nil), .init(name: "Z", identifier: nil)],
    target: [.init(name: "B", identifier: "A"), .init(name: "Z", identifier: nil)])

  @Test("a destination that was only renamed is no difference") func renamed() {
    let old = Relationship(name: "r", destination: "A")
    let new = Relationship(name: "r", destination: "B")
    #expect(RelationshipAspects.between(old, new, entities: Self.match).isEmpty)
    let other = Relationship(name: "r", destination: "Z")
    #expect(
      RelationshipAspects.between(old, other, entities: Self.match).map(\.description)
        == ["destination: A (renamed B), now Z"])
  }

  @Test("another destination of the old one's name is a difference") func otherOfThatName() {
    let match = RenamingMatch(
      source: [.init(name: "A", identifier: nil), .init(name: "X", identifier: nil)],
      target: [.init(name: "A", identifier: "X"), .init(name: "B", identifier: "A")])
    let relationship = Relationship(name: "r", destination: "A")
    #expect(
      RelationshipAspects.between(relationship, relationship, entities: match).map(\.description)
        == ["destination: A (renamed B), now A"])
  }

  @Test("counts, order, inverse and delete rule are described in words") func words() {
    let old = Relationship(name: "r", destination: "Z")
    var new = old
    (new.maxCount, new.isOrdered, new.inverseName, new.deleteRule) = (1, true, "q", .cascade)
    #expect(
      RelationshipAspects.between(old, new, entities: Self.match).map(\.description) == [
        "inverse: none, now \"q\"", "leads to: many, now one", "ordered: no, now yes",
        "most: any number, now 1", "delete rule: Nullify, now Cascade",
      ])
  }
}
