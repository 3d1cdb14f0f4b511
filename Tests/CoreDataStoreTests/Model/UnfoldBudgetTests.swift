import Testing

@testable import CoreDataStore

@Suite("How much a model may unfold into")
struct UnfoldBudgetTests {
  @Test(
    "parts and bytes run out each by themselves, and nothing brings them back",
    arguments: [(1, 0), (0, 1)])
  func runsOut(parts: Int, bytes: Int) {
    let budget = UnfoldBudget(parts: 2, bytes: 2)
    let paid = (0..<3).map { _ in budget.spend(parts: parts, bytes: bytes) }
    #expect(paid == [true, true, false])
    #expect(!budget.spend(parts: -9, bytes: -9) && budget.isUsedUp)
  }

  @Test("a model that asked for more than there was is refused")
  func check() throws {
    let budget = UnfoldBudget(parts: 1)
    budget.spend()
    try budget.check()
    budget.spend()
    let error = #expect(throws: Failure.self) { try budget.check() }
    #expect(error?.why.contains("unfolds into more than any") == true)
  }
}
