import CoreDataStore
import Lua
internal import StoreMigration

/// Threads that call a script's functions of attributes ahead of the loop that makes the rows.
///
/// What they leave out the loop does itself, in its own order, so that errors, counts and
/// `ctx.state` are those of one thread. They begin when the loop first asks.
final class AttributeWorkers {
  private let threads: Int
  private let work: AttributeWork
  private var ahead: BlocksAhead<LuaMadeRows>?
  /// The block that the loop is at.
  private var current: (number: Int, made: LuaMadeRows?)?
  private var isStopped = false
  private let firstLook: UInt64

  /// Bytes of results, and blocks, that may wait for the loop.
  private static let mostBytes = 2 << 20
  private static let mostBlocks = 16

  /// Threads for what is left of an entity; nil where they are not worth it.
  init?(
    for plan: ScriptLoopPlan, _ copy: ScriptedCopy, _ builder: StoreBuilder,
    _ driver: ScriptCaller, _ options: ScriptOptions
  ) throws {
    let threads = options.workers(each: try copy.mostBytesEach())
    guard threads > 1,
      let work = try AttributeWork(plan, copy, builder, driver, options),
      let look = try driver.world.state.look(at: plan.functions)
    else { return nil }
    (self.threads, self.work, firstLook) = (threads, work, look)
  }

  /// What the functions could reach before any of them ran; nil when no more results come.
  var look: UInt64? { isStopped ? nil : firstLook }

  /// What they have returned for the row of a key and those after it, waited for.
  func results(from key: Int64) -> LuaRows.Results {
    guard !isStopped, let number = work.blocks.number(of: key) else {
      return .init(nil, last: key)
    }
    if current?.number != number {
      current = nil
      current = (number, begun().take(number))
    }
    return .init(current?.made, last: work.blocks.keys(of: number).upperBound)
  }

  private func begun() -> BlocksAhead<LuaMadeRows> {
    if let ahead { return ahead }
    let work = work
    let line = BlockLine<LuaMadeRows>(
      count: work.blocks.count, mostBytes: Self.mostBytes, mostBlocks: Self.mostBlocks)
    let ahead = BlocksAhead(threads: threads, line, interrupt: { work.canceller.cancel() }) {
      let worker = try AttributeWorker(work)
      return { try worker.rows(of: $0) }
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

extension LuaMadeRows: WorkedBlock {}

/// Calls a script's functions of attributes, block by block: an interpreter, and a connection to
/// the source, of one thread.
final class AttributeWorker {
  private let work: AttributeWork
  private let world: LoadedScript
  private let reader: ComputedRowReader
  private let functions: [LuaRows.Function]
  private let loop: LuaRowsAhead
  private let look: UInt64?
  /// Whether a function has printed something: lines are printed once, and in the rows' order.
  private var hasPrinted = false

  /// The results that a block may have, in bytes; rows beyond them are left out.
  private static let mostBytes = 1 << 20

  /// Why a worker is no good any more; this is not reported.
  private enum Uselessness: Error {
    /// A module is not what it was when the run began.
    case scriptChanged
    /// A function has kept something from one object to the next, or there is too much to look
    /// through.
    case keepsState
    case prints
    case sourceFailed
  }

  init(_ work: AttributeWork) throws {
    self.work = work
    world = try LoadedScript(
      work.file, params: work.params, limits: work.limits, canceller: work.canceller)
    guard world.digest == work.digest else { throw Uselessness.scriptChanged }
    let table = try world.result.field("attributes")
    functions = try work.functions.map { function in
      LuaRows.Function(
        function.isPlain ? try table.field(function.name) : nil, function.arguments, parameter: 0,
        form: .other, isOptional: true)
    }
    reader = try ComputedRowReader(work.selection)
    loop = LuaRowsAhead(
      world.state, from: reader.address, functions: functions, mostBytes: Self.mostBytes)
    look = try world.state.look(at: functions)
    guard look != nil else { throw Uselessness.keepsState }
    world.state.onPrint { [unowned self] _ in hasPrinted = true }
  }

  /// What the functions return for the rows of a block.
  func rows(of number: Int) throws -> LuaMadeRows {
    try reader.turn(to: work.blocks.keys(of: number))
    defer { reader.rest() }
    let made = try loop.run()
    if loop.sourceFailed { throw Uselessness.sourceFailed }
    if hasPrinted { throw Uselessness.prints }
    // In another order, the same rows could have come to something else.
    guard try world.state.look(at: functions) == look else { throw Uselessness.keepsState }
    return made
  }
}
