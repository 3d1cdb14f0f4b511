import Foundation

/// Where blocks are handed out to the threads that do them, and wait until they are taken in order.
///
/// What waits is bounded by bytes and by number; the block that is waited for is never held back,
/// so that no thread waits for ever.
final class BlockLine<Block: WorkedBlock>: @unchecked Sendable {
  // Sendable because everything below is used under the condition's lock alone.
  private let lock = NSCondition()

  private let count: Int
  private let mostBytes: Int
  private let mostBlocks: Int

  /// The block that is taken next, and the one that is done next.
  private var wanted = 0
  private var next = 0
  private var waiting: [Int: Block] = [:]
  private var bytes = 0
  /// The blocks at which a worker failed.
  private var abandoned: Set<Int> = []
  /// Threads that have not begun yet, and those that are at work.
  private var starting = 0
  private var living = 0
  private var isClosed = false

  /// A line of so many blocks; beyond the other two numbers none is begun ahead.
  init(count: Int, mostBytes: Int, mostBlocks: Int) {
    (self.count, self.mostBytes, self.mostBlocks) = (count, mostBytes, mostBlocks)
  }

  /// The bytes that wait to be taken.
  var waitingBytes: Int { lock.withLock { bytes } }
}

// The threads' side.
extension BlockLine {
  /// Notes that so many threads are on their way.
  func expect(_ threads: Int) { lock.withLock { starting += threads } }

  /// Notes that a thread is there; false when there is nothing to do any more.
  func begin() -> Bool {
    lock.withLock {
      starting = max(0, starting - 1)
      guard !isClosed else { return false }
      living += 1
      return true
    }
  }

  /// Notes that a thread could not be started.
  func miss() { lock.withLock { starting = max(0, starting - 1) } }

  /// The number of the block to be done next, as soon as there is room for it; nil at the end.
  func claim() -> Int? {
    lock.withLock {
      while !isClosed, next < count {
        if hasRoom {
          defer { next += 1 }
          return next
        }
        lock.wait()
      }
      return nil
    }
  }

  private var hasRoom: Bool { next <= wanted || (bytes < mostBytes && next - wanted < mostBlocks) }

  /// Lets a block wait to be taken.
  func put(_ block: Block, _ number: Int) {
    lock.withLock {
      guard number >= wanted, !isClosed else { return }
      waiting[number] = block
      bytes += block.byteCount
      lock.broadcast()
    }
  }

  /// Leaves a block to the thread that takes it.
  func abandon(_ number: Int) {
    lock.withLock {
      abandoned.insert(number)
      lock.broadcast()
    }
  }

  /// Notes that a thread has ended its work.
  func leave() {
    lock.withLock {
      living -= 1
      lock.broadcast()
    }
  }
}

// The side of the one who takes.
extension BlockLine {
  /// Waits for a block; nil when no thread will do it.
  func take(_ number: Int) -> Block? {
    lock.withLock {
      guard number >= wanted else { return nil }
      want(number)
      while !isClosed, waiting[number] == nil, !abandoned.contains(number), isToCome(number) {
        lock.wait()
      }
      let block = waiting[number]
      want(number + 1)
      return block
    }
  }

  /// Whether a thread is at the block, or there is one that can take it up.
  private func isToCome(_ number: Int) -> Bool {
    number < count && (living > 0 || (starting > 0 && next <= number))
  }

  /// Lets go what is before a block, and makes room for those that come after it.
  private func want(_ number: Int) {
    guard number > wanted else { return }
    (wanted, next) = (number, max(next, number))
    for passed in waiting.keys where passed < number {
      bytes -= waiting.removeValue(forKey: passed)?.byteCount ?? 0
    }
    abandoned = abandoned.filter { $0 >= number }
    lock.broadcast()
  }

  /// Hands out no more blocks, and drops those that wait.
  func close() {
    lock.withLock {
      isClosed = true
      (waiting, bytes, starting) = ([:], 0, 0)
      lock.broadcast()
    }
  }

  /// Waits until the last thread has ended its work.
  func waitForThreads() {
    lock.withLock { while living > 0 { lock.wait() } }
  }
}
