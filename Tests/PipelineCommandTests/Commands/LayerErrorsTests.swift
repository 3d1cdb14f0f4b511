import CoreDataStore
import Testing

@testable import pipeline

@Suite("Errors of the layers below")
struct LayerErrorsTests {
  @Test(
    "an error of a store has the status of its kind",
    arguments: [
      (StoreError.Category.notCoreData, Status.unusable), (.unusable, .unusable),
      (.refused, .refused), (.busy, .busy),
    ])
  func store(category: StoreError.Category, status: Status) {
    let error = StoreError(
      category, what: "cannot open the store", subject: "a.sqlite", why: "It is so.",
      remedy: "Do this.")
    #expect(error.status == status)
    #expect(
      error.problems == [Problem("cannot open the store: a.sqlite\nIt is so.", hint: "Do this.")])
  }

  @Test("an error of a model is the model's, unless the machine refused", arguments: [false, true])
  func model(isRefusal: Bool) {
    var error = ModelError(
      what: "cannot read the model", subject: "a.mom", why: "It is so.", remedy: "Do this.")
    error.isRefusal = isRefusal
    #expect(error.status == (isRefusal ? .refused : .unusable))
    #expect(
      error.problems == [Problem("cannot read the model: a.mom\nIt is so.", hint: "Do this.")])
  }
}
