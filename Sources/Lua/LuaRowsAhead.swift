import LuaHost

/// Calls functions of a script for rows ahead of a loop that needs what they return.
///
/// It has an interpreter and a statement of its own. A row that a function fails for, or has no
/// plain value for, is left to the other loop.
@safe package final class LuaRowsAhead {
  private let state: LuaState
  // Kept as long as the numbers by which C knows them.
  private let functions: [LuaRows.Function]
  private let lists: LuaRowLists
  private let source: UInt
  private let mostBytes: Int

  /// Calls functions for the rows of a statement, by the address of its handle.
  ///
  /// The statement must live as long as the loop is run. Column 0 is the row's key. Beyond so many
  /// bytes of results the rows that follow are left out.
  package init(
    _ state: LuaState, from source: UInt, functions: [LuaRows.Function], mostBytes: Int
  ) {
    (self.state, self.functions, self.source) = (state, functions, source)
    self.mostBytes = mostBytes
    lists = LuaRowLists([], functions)
  }

  /// Whether SQLite refused to read the rows.
  package private(set) var sourceFailed = false

  /// Calls the functions for all rows that the statement still has.
  ///
  /// - Throws: ``LuaError`` when the script was stopped; nothing of it can be used any more.
  package func run() throws(LuaError) -> LuaMadeRows {
    var ahead = unsafe lh_ahead()
    unsafe ahead.source = OpaquePointer(bitPattern: source)
    unsafe ahead.most_bytes = mostBytes
    unsafe ahead.function = -1
    unsafe lists.fill(&ahead)
    let status = unsafe lh_run_ahead(state.host, &ahead)
    let made = unsafe LuaMadeRows(taking: ahead.made)
    try state.check(status)
    sourceFailed = unsafe ahead.source_failed != 0
    return made
  }
}

extension LuaState {
  /// All that functions of columns can reach and change, as a number that changes with it; nil when
  /// there is too much to look at.
  package func look(at functions: [LuaRows.Function]) throws(LuaError) -> UInt64? {
    try LuaRowLists([], functions).look(in: self)
  }
}
