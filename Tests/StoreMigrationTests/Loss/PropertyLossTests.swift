import CoreDataStore
import StoreMigration
import Testing

@Suite("What happened to one property")
struct PropertyLossTests {
  static let fates: [(fate: PropertyLoss.Fate, lost: Int)] = [
    (.kept, 6), (.moved, 6), (.dropped, 10), (.derived, 0), (.scripted, 0),
  ]

  @Test("what is lost depends on what was to happen to it", arguments: fates)
  func lost(fate: PropertyLoss.Fate, lost: Int) {
    var loss = PropertyLoss(entity: "A", property: "t", isRelationship: false, fate: fate)
    (loss.values, loss.arrived, loss.changed, loss.emptied, loss.gone) = (10, 4, 1, 2, 3)
    #expect(loss.lost == lost)
  }
}
