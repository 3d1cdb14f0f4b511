import Synchronization
import Testing

@testable import StorePipeline

@Suite("Blocks done ahead")
struct BlocksAheadTests {
  struct Sized: WorkedBlock, Equatable {
    var number: Int
    var byteCount: Int
  }

  struct Refusal: Error {}

  private func line(
    _ count: Int, bytes: Int = 1000, blocks: Int = 8
  ) -> BlockLine<Sized> {
    BlockLine(count: count, mostBytes: bytes, mostBlocks: blocks)
  }

  @Test("come in order from any number of threads", arguments: [1, 2, 3, 7])
  func order(threads: Int) {
    let ahead = BlocksAhead(threads: threads, line(200)) {
      { Sized(number: $0, byteCount: 10) }
    }
    let taken = (0..<200).map { ahead.take($0)?.number }
    #expect(taken == Array(0..<200))
    #expect(ahead.take(200) == nil)
  }

  @Test("may be passed over, and are not given twice")
  func passed() {
    let ahead = BlocksAhead(threads: 2, line(100)) { { Sized(number: $0, byteCount: 10) } }
    #expect(ahead.take(40)?.number == 40)
    #expect(ahead.take(99)?.number == 99)
    #expect(ahead.take(99) == nil)
    #expect(ahead.take(3) == nil)
  }

  @Test("are begun only while there is room for what they come to", arguments: [1, 3])
  func bound(threads: Int) {
    let line = line(50, bytes: 25)
    let most = Mutex(0)
    let ahead = BlocksAhead(threads: threads, line) {
      { number in
        most.withLock { $0 = max($0, line.waitingBytes) }
        return Sized(number: number, byteCount: 10)
      }
    }
    for number in 0..<50 { #expect(ahead.take(number)?.number == number) }
    // Three fill it; then each thread may be at one more.
    #expect(most.withLock { $0 } <= 30 + 10 * threads)
  }

  @Test("come one by one where each is larger than the bound")
  func larger() {
    let ahead = BlocksAhead(threads: 3, line(20, bytes: 1)) {
      { Sized(number: $0, byteCount: 5000) }
    }
    #expect((0..<20).map { ahead.take($0)?.number } == Array(0..<20))
  }

  @Test("are left to the one who asks where a worker fails, and the others go on")
  func failure() {
    let ahead = BlocksAhead(threads: 2, line(60)) {
      { number in
        if number == 7 { throw Refusal() }
        return Sized(number: number, byteCount: 1)
      }
    }
    let taken = (0..<60).map { ahead.take($0)?.number }
    #expect(taken == (0..<60).map { $0 == 7 ? nil : $0 })
  }

  @Test("are all left to the one who asks where no worker can be made")
  func none() {
    let ahead = BlocksAhead<Sized>(threads: 3, line(10)) { throw Refusal() }
    #expect((0..<10).allSatisfy { ahead.take($0) == nil })
  }

  @Test("are dropped by the end, which waits for the workers to be gone")
  func stop() {
    let made = Mutex(0)
    final class Tool: Sendable {
      let gone: @Sendable () -> Void
      init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
      deinit { gone() }
    }
    let ahead = BlocksAhead(threads: 3, line(1000, blocks: 2)) {
      made.withLock { $0 += 1 }
      let tool = Tool { made.withLock { $0 -= 1 } }
      return { number in withExtendedLifetime(tool) { Sized(number: number, byteCount: 1) } }
    }
    #expect(ahead.take(0)?.number == 0)
    ahead.stop()
    #expect(made.withLock { $0 } == 0)
    #expect(ahead.take(1) == nil)
    ahead.stop()
  }

  @Test("are interrupted by the end where they would take for ever")
  func interrupted() {
    let isOver = Mutex(false)
    var ahead: BlocksAhead<Sized>? = BlocksAhead(
      threads: 2, line(10), interrupt: { isOver.withLock { $0 = true } }
    ) {
      { number in
        while number > 0, !isOver.withLock({ $0 }) {}
        return Sized(number: number, byteCount: 1)
      }
    }
    #expect(ahead?.take(0)?.number == 0)
    ahead = nil
    #expect(isOver.withLock { $0 })
  }
}
