@testable import StoreMigration
import Testing

@testable import CoreDataStore

@Suite("Counts of links")
struct LinkCountsTests {
  @Test("a loss takes all of them over") func taken() {
    var loss = PropertyLoss(entity: "A", property: "bs", isRelationship: true, fate: .kept)
    loss.take(LinkCounts(values: 9, arrived: 4, emptied: 3, gone: 2, dangling: 1))
    #expect((loss.values, loss.arrived, loss.emptied) == (9, 4, 3))
    #expect((loss.gone, loss.dangling, loss.lost) == (2, 1, 5))
  }
}
