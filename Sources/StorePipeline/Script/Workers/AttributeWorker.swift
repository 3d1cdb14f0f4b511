import CoreDataStore
import Lua
internal import StoreMigration

extension LuaMadeRows: WorkedBlock {}

/// Calls a script's functions of attributes, block by block: an interpreter, and a connection to
/// the source, of one thread.
final class AttributeWorker {
  private let work: AttributeWork
  private let world: LoadedScript
  private let reader: ScriptedRowReader
  private let functions: [LuaRows.Function]
  private let loop: LuaRowsAhead
  private let look: UInt64?

  /// The results that a block may have, in bytes; rows beyond them are left out.
  private static let mostBytes = 1 << 20

  /// Why a worker is no good any more; nobody is told.
  private enum Uselessness: Error {
    /// A module is not what it was when the run began.
    case scriptChanged
    /// A function has kept something from one object to the next, or there is too much to tell.
    case keepsState
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
    reader = try ScriptedRowReader(work.selection)
    loop = LuaRowsAhead(
      world.state, from: reader.address, functions: functions, mostBytes: Self.mostBytes)
    look = try world.state.look(at: functions)
    guard look != nil else { throw Uselessness.keepsState }
  }

  /// What the functions return for the rows of a block.
  func rows(of number: Int) throws -> LuaMadeRows {
    try reader.turn(to: work.blocks.keys(of: number))
    defer { reader.rest() }
    let made = try loop.run()
    if loop.sourceFailed { throw Uselessness.sourceFailed }
    // In another order, the same rows could have come to something else.
    guard try world.state.look(at: functions) == look else { throw Uselessness.keepsState }
    return made
  }
}
