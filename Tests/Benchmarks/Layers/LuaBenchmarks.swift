import Lua

extension Benchmark {
  private static let calls = 100_000

  /// What it costs to go from Swift into a script and back.
  static func lua() throws -> [Benchmark] {
    let state = try LuaState()
    let number = try function(in: state, "function(a) return a + 1 end")
    let table = try function(in: state, "function(a) return { id = a, text = 'one row' } end")
    return [
      Benchmark(name: "lua.open", unit: "state", count: 100) {
        for _ in 0..<100 { _ = try LuaState() }
      },
      Benchmark(name: "lua.call", unit: "call", count: calls) {
        for index in 0..<calls { try number.call(.integer(Int64(index))) }
      },
      Benchmark(name: "lua.table", unit: "call", count: calls) {
        for index in 0..<calls { try table.call(.integer(Int64(index))) }
      },
    ]
  }

  private static func function(in state: LuaState, _ text: String) throws -> LuaReference {
    try state.load("return " + text, name: "benchmark").callKeepingResult()
  }
}
