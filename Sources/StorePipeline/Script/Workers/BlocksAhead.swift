import Lua

/// What a worker has made from one block.
protocol WorkedBlock: Sendable {
  /// The memory it takes, about.
  var byteCount: Int { get }
}

/// Blocks of work, done by threads ahead of the one that takes them in order.
///
/// The blocks are numbered from 0; which thread does which cannot be seen from what comes of them.
/// The threads end with ``stop()``, and when this goes.
final class BlocksAhead<Block: WorkedBlock>: Sendable {
  typealias Worker = (_ number: Int) throws -> Block

  private let line: BlockLine<Block>
  private let interrupt: @Sendable () -> Void

  /// Starts the threads.
  ///
  /// A worker that cannot be made, or throws, is gone: the block that it was at is left to the
  /// thread that takes it, and the others continue. So it is when the system has no thread for it.
  ///
  /// - Parameters:
  ///   - threads: How many there are.
  ///   - line: The blocks, and how many of them may wait to be taken.
  ///   - interrupt: Makes the workers throw at once, from another thread.
  ///   - makeWorker: Makes a worker, on the thread that it works on and that it ends on.
  init(
    threads: Int, _ line: BlockLine<Block>, interrupt: @escaping @Sendable () -> Void = {},
    makeWorker: @escaping @Sendable () throws -> Worker
  ) {
    (self.line, self.interrupt) = (line, interrupt)
    line.expect(threads)
    for _ in 0..<threads {
      do {
        try ScriptThread.start {
          guard line.begin() else { return }
          Self.work(line, makeWorker)
          // The worker is gone by now, with the files that it had open.
          line.leave()
        }
      } catch {
        line.miss()
      }
    }
  }

  deinit { stop() }

  private static func work(_ line: BlockLine<Block>, _ makeWorker: () throws -> Worker) {
    guard let worker = try? makeWorker() else { return }
    while let number = line.claim() {
      guard let block = try? worker(number) else { return line.abandon(number) }
      line.put(block, number)
    }
  }

  /// Waits for a block; nil when it has to be done by the one who asks.
  ///
  /// Blocks before it are let go.
  func take(_ number: Int) -> Block? { line.take(number) }

  /// Ends the threads, and waits until they are gone with all they had.
  func stop() {
    line.close()
    interrupt()
    line.waitForThreads()
  }
}
