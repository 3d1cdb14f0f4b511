import Lua

extension Attack {
  /// Ways to give another answer next time.
  static let determinism = [
    Attack("chance", .error("ctx.random"), "return math.random()"),
    Attack("a seed", .error("ctx.random"), "math.randomseed(1)"),
    Attack("the clock", .error("'os' is not available"), "return os.time()"),
    Attack("a weak table", .error("__mode is not available"), "setmetatable({}, { __mode = 'k' })"),
    Attack(
      "a counter in a global", .error("global 'counter' cannot be written"),
      "counter = 0\nlocal function row() counter = counter + 1 end\nreturn row"),
    Attack(
      "a new global later", .error("global 'seen' cannot be written"),
      "local function row() seen = true end return row"),
    Attack(
      "the order of a table", .result("a,b,c,d,e"),
      "local k = {} for n in pairs({ e = 1, d = 1, c = 1, b = 1, a = 1 }) do k[#k + 1] = n end\n"
        + "return table.concat(k, ',')"),
    Attack("the order by next", .result("a"), "return (next({ c = 1, b = 1, a = 1 }))"),
    Attack(
      "keys without an order", .error("no order to go through"),
      "for k in pairs({ [{}] = 1, [{}] = 2 }) do end"),
    Attack(
      "equal elements of a sort", .result("3a 1b 2b"),
      "local t = { { 'b', 1 }, { 'b', 2 }, { 'a', 3 } }\n"
        + "table.sort(t, function(x, y) return x[1] < y[1] end)\n"
        + "for i, x in ipairs(t) do t[i] = x[2] .. x[1] end return table.concat(t, ' ')"),
    Attack(
      "the sign of no number", .result("nan nan nan"),
      "return tostring(0/0) .. ' ' .. tostring(-(0/0)) .. string.format(' %g', 0/0)"),
    Attack(
      "an object kept for later", .error("was kept after its call"),
      "local kept\nreturn function(row) if kept then return kept.name end kept = row end"),
  ]
}
