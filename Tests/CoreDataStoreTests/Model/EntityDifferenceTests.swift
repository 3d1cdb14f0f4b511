import Testing

@testable import CoreDataStore

@Suite("Difference of an entity")
struct EntityDifferenceTests {
  private static func property(_ obstacle: String?) -> PropertyDifference {
    PropertyDifference(
      name: "x", kind: .attribute, change: .changed, from: nil,
      aspects: [Aspect(name: "type", from: "Date", to: "URI")], changesHash: true,
      obstacle: obstacle)
  }

  @Test(
    "it is inferable when nothing stands in the way of it or of a property",
    arguments: [(nil, nil, true), ("no", nil, false), (nil, "no", false)])
  func inferable(own: String?, property: String?, isInferable: Bool) {
    let difference = EntityDifference(
      name: "A", change: .changed, from: nil, aspects: [],
      properties: [Self.property(nil), Self.property(property)], changesHash: true, obstacle: own)
    #expect(difference.isInferable == isInferable)
    #expect(difference.why == own)
  }

  @Test("aspects come before the obstacle, of an entity as of a property") func why() {
    #expect(Self.property("it cannot be").why == "type: Date, now URI; it cannot be")
    #expect(Self.property(nil).why == "type: Date, now URI" && Self.property(nil).isInferable)
  }
}
