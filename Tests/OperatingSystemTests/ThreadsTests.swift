import OperatingSystem
import Testing

@Suite("Threads")
struct ThreadsTests {
  @Test("a thread's time passes while it works") func time() {
    let start = Threads.time
    while Threads.time == start {}
    #expect(Threads.time > start)
  }
}
