import CoreDataStore
import Lua
internal import StoreMigration

/// Threads that run a script's `create` ahead of the one that writes.
///
/// What they have noted for an object is done when its turn comes; for an object without a record
/// the one that writes runs `create` itself. So keys, errors, counts and `ctx.state` are those of
/// one thread. They begin when the first record is asked for.
final class CreateWorkers {
  private let threads: Int
  private let work: CreateWork
  private let driver: ScriptCaller
  private let firstLook: UInt64
  private var ahead: BlocksAhead<CreateBlock>?
  private var current: (number: Int, block: CreateBlock?)?
  private var isStopped = false
  /// The objects of blocks that were done, and those of them that had a record.
  private var asked = 0
  private var found = 0

  /// Bytes of records, and blocks, that may wait.
  private static let mostBytes = 1 << 20
  private static let mostBlocks = 8
  /// The objects after which the run decides whether the records are of use.
  private static let trial = 200

  /// Threads for what is left of an entity; nil where they are not worth it.
  init?(
    for copy: ScriptedCopy, _ driver: ScriptCaller, _ stores: any ScriptStores,
    _ outline: ScriptOutline, _ mapping: ObjectMapping?, _ options: ScriptOptions
  ) throws {
    guard outline.makesObjects else { return nil }
    let threads = options.workers(each: try copy.mostBytesEach())
    guard threads > 1,
      let work = try CreateWork(copy, driver, stores, outline, mapping, options),
      let look = try driver.look()
    else { return nil }
    (self.threads, self.work, self.driver, firstLook) = (threads, work, driver, look)
  }

  /// What was noted for the object of a key, waited for; nil when it has to be done by the one who
  /// asks, who says so with ``check()`` afterwards.
  func record(of key: Int64) throws -> CreateRecord? {
    if ahead == nil { try check() }
    guard !isStopped, let number = work.blocks.number(of: key) else { return nil }
    if current?.number != number {
      current = nil
      current = (number, begun().take(number))
    }
    guard current?.block != nil else { return nil }
    let record = current?.block?.records.removeValue(forKey: key)
    (asked, found) = (asked + 1, found + (record == nil ? 0 : 1))
    // Where nearly all objects depend on those before them, the work would be done twice.
    if asked == Self.trial, found < Self.trial / 10 { stop() }
    return record
  }

  /// Ends the threads when the script has kept something outside `ctx.state`, which they would not
  /// know of.
  func check() throws {
    guard !isStopped else { return }
    if try driver.look() != firstLook { stop() }
  }

  private func begun() -> BlocksAhead<CreateBlock> {
    if let ahead { return ahead }
    let work = work
    let line = BlockLine<CreateBlock>(
      count: work.blocks.count, mostBytes: Self.mostBytes, mostBlocks: Self.mostBlocks)
    let ahead = BlocksAhead(threads: threads, line, interrupt: { work.canceller.cancel() }) {
      let worker = try CreateWorker(work)
      return { try worker.block($0) }
    }
    self.ahead = ahead
    return ahead
  }

  /// Ends the threads.
  func stop() {
    isStopped = true
    ahead?.stop()
    (ahead, current) = (nil, nil)
  }
}
