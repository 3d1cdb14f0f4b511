import OperatingSystem
import Testing

@Suite("Deadlines") struct DeadlineTests {
  @Test("a time is used up when it has passed, and not before") func passes() async throws {
    let (none, short, long) = (
      Deadline(in: .zero), Deadline(in: .milliseconds(20)), Deadline(in: .seconds(86_400))
    )
    #expect(none.isOver)
    #expect(!long.isOver)
    try await Task.sleep(for: .milliseconds(25), clock: .suspending)
    #expect(short.isOver && !long.isOver)
  }
}
