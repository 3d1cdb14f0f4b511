import CoreDataStore
import StorePipeline
import Testing

@Suite("The status of an error")
struct RunStatusTests {
  private static func store(_ category: StoreError.Category) -> StoreError {
    StoreError(category, what: "a", subject: "b", why: "c", remedy: "d")
  }

  private static func model(isRefusal: Bool) -> ModelError {
    var error = ModelError(what: "a", subject: "b", why: "c", remedy: "d")
    error.isRefusal = isRefusal
    return error
  }

  private struct Unknown: Error {}

  @Test(
    "is the same wherever the error ends",
    arguments: [
      (store(.notCoreData), 3), (store(.unusable), 3), (store(.refused), 4), (store(.busy), 5),
      (model(isRefusal: false), 3), (model(isRefusal: true), 4),
      (RunFailure(.refused, what: "a", subject: "b", why: "c", remedy: "d"), 1),
      (RunFailure(.misuse, what: "a", subject: "b", why: "c", remedy: "d"), 2),
      (Problem(file: "a", line: 1, message: "b"), 2),
      (Problem(file: "a", line: 0, message: "b", isRefusal: true), 4),
      (CancellationError(), 130), (Unknown(), 4),
    ] as [(any Error, Int32)])
  func status(error: any Error, status: Int32) {
    #expect(RunStatus.of(error) == status)
  }
}
