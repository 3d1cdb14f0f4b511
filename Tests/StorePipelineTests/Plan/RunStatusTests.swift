import CoreDataStore
import StorePipeline
import Testing

@Suite("The status of an error")
struct RunStatusTests {
  private static func failure(_ kind: Failure.Kind) -> Failure {
    Failure(kind, what: "a", subject: "b", why: "c", remedy: "d")
  }

  private struct Unknown: Error {}

  @Test(
    "is the same wherever the error ends",
    arguments: [
      (failure(.no), 1), (failure(.misuse), 2), (failure(.notCoreData), 3),
      (failure(.unusable), 3), (failure(.unusableModel), 3), (failure(.refused), 4),
      (failure(.busy), 5), (failure(.defect), 70),
      (Problem(file: "a", line: 1, message: "b"), 2),
      (Problem(file: "a", line: 0, message: "b", isRefusal: true), 4),
      (CancellationError(), 130), (Unknown(), 4),
    ] as [(any Error, Int32)])
  func status(error: any Error, status: Int32) {
    #expect(RunStatus.of(error) == status)
  }

  @Test("what is stopped has the status that the program says it ends with, and so have its tasks")
  func stopped() async {
    let task = RunStatus.stopping(with: { 143 }) { Task { RunStatus.of(CancellationError()) } }
    #expect(await task.value == 143)
    #expect(RunStatus.of(CancellationError()) == 130)
  }
}
