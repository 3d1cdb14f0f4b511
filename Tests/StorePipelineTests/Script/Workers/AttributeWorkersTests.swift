import CoreDataStore
import Foundation
import Lua
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Workers for functions of attributes", .temporaryFolder)
struct AttributeWorkersTests {
  @Test("values of all types are those of one worker")
  func types() throws {
    let things = try ManyThings(ManyThings.all)
    let (alone, none) = try things.outcome(workers: 1)
    #expect(none == 0)
    #expect(alone.counts.made == ["Thing": ManyThings.count])
    for workers in [2, 3, 7] {
      let (found, ahead) = try things.outcome(workers: workers)
      #expect(found == alone, "with \(workers)")
      #expect(ahead > 0)
    }
  }

  private static let failing = """
    name = function(name, middle)
      if middle == 7000000 then return {} end
      if middle >= 8000000 and middle < 8100000 then error("no " .. middle) end
      return name and name:upper()
    end,
    small = function(small, middle) return middle % 997000 == 0 and small + 0.5 or small end
    """

  @Test(
    "failures are reported, counted and rejected as with one worker",
    arguments: [ScriptOptions.OnError.stop, .skip, .reject])
  func failures(onError: ScriptOptions.OnError) throws {
    let things = try ManyThings(Self.failing)
    let (alone, _) = try things.outcome(workers: 1) { $0.onError = onError }
    #expect((alone.error == nil) == (onError != .stop))
    #expect(onError == .stop || alone.counts.failed + alone.counts.rejected > 80)
    #expect(onError != .reject || alone.rejects.count > 80)
    for workers in [2, 3, 7] {
      let (found, ahead) = try things.outcome(workers: workers) { $0.onError = onError }
      #expect(found == alone, "with \(workers)")
      #expect(ahead > 0 || onError == .stop)
    }
  }

  @Test("functions that are given the context stay with the one that writes")
  func context() throws {
    let things = try ManyThings(
      """
      name = function(name, ctx)
        ctx.state.n = (ctx.state.n or 0) + 1
        if ctx.state.n % 1000 == 0 then ctx.skip("enough") end
        return ctx.state.n .. (name or "")
      end,
      small = function(small) return (small + 1) % 1000 end
      """)
    let (alone, _) = try things.outcome(workers: 1)
    // What a skipped object did to ctx.state is undone.
    #expect(alone.counts.skipped == ManyThings.count - 999)
    let (found, ahead) = try things.outcome(workers: 3)
    #expect(found == alone)
    #expect(ahead > 0)
  }

  /// Scripts that keep something from one object to the next where no run can find it again.
  enum Keeping: String, CaseIterable {
    case local = "local n = 0\nlocal function step() n = n + 1 return n end"
    case table = "local t = { n = 0 }\nlocal function step() t.n = t.n + 1 return t.n end"
    case global = "t = { n = { 0 } }\nlocal function step() t.n[1] = t.n[1] + 1 return t.n[1] end"
    case metatable = """
      local m = { n = 0 }
      local t = setmetatable({}, m)
      local function step() m.n = m.n + 1 return m.n end
      """
  }

  @Test(
    "a script that keeps something between objects runs as with one", arguments: Keeping.allCases)
  func keeping(how: Keeping) throws {
    let things = try ManyThings(
      "name = function(name) return step() .. (name or '') end", before: how.rawValue)
    let (alone, _) = try things.outcome(workers: 1)
    #expect(alone.rows.last?.contains("12000thing") == true)
    let (found, ahead) = try things.outcome(workers: 3)
    #expect(found == alone)
    #expect(ahead == 0)
  }

  @Test("a script that begins to keep something in the middle runs as with one from there")
  func late() throws {
    let things = try ManyThings(
      """
      name = function(name, middle)
        if middle >= 9000000 then kept = kept .. "x" end
        return (name or '') .. #kept
      end
      """, before: "local kept = ''")
    let (alone, _) = try things.outcome(workers: 1)
    let (found, ahead) = try things.outcome(workers: 3)
    #expect(found == alone)
    #expect(ahead > 0)
  }

  @Test("what 'begin' sets is seen as with one")
  func begin() throws {
    let things = try ManyThings(
      "name = function(name) return (name or '') .. rate end", before: "local rate = 1",
      hooks: "begin = function(ctx) rate = 2 end,")
    let (alone, _) = try things.outcome(workers: 1)
    #expect(alone.rows.last?.contains("thing 150002") == true, "\(alone.rows.last ?? "")")
    #expect(try things.outcome(workers: 3).0 == alone)
  }

  @Test("a run resumes with another number of workers")
  func resumed() throws {
    let things = try ManyThings(ManyThings.all)
    let (alone, _) = try things.outcome(workers: 1)
    for (workers, next) in [(1, 3), (3, 1), (2, 7)] {
      do {
        let builder = try things.builder()
        let run = try things.run(builder, workers: workers)
        for _ in 0..<3 { #expect(try run.chunk()) }
        run.endWorkers()
        try builder.close()
      }
      let builder = try things.builder()
      let run = try things.run(builder, workers: next)
      try ScriptSample.finish(run)
      #expect(try things.outcome(of: run, builder) == alone, "from \(workers) to \(next)")
      #expect((run.takenAhead > 0) == (next > 1))
      try builder.close()
      try FileManager.default.removeItem(atPath: things.path("next.sqlite"))
    }
  }

  @Test("a cancelled run ends, though a function of its never would", arguments: [1, 2])
  func cancelled(workers: Int) throws {
    try ManyThings(
      "name = function(name, middle) while middle > 9000000 do end return name end"
    ).cancel(workers: workers)
  }

  @Test("where no worker can open the source, all is done by the one that writes")
  func noConnection() throws { try ManyThings(ManyThings.all).checkWithoutConnection() }

  @Test("results beyond what a block may hold are left to the one that writes")
  func large() throws {
    let things = try ManyThings(
      "bytes = function(middle) return string.rep('b', middle % 9 * 1000) end")
    let (alone, _) = try things.outcome(workers: 1)
    let (found, ahead) = try things.outcome(workers: 2)
    #expect(found == alone)
    #expect(ahead > 0)
  }

  @Test("a limit that one call goes beyond ends the run as with one")
  func limit() throws {
    let things = try ManyThings(
      """
      name = function(name, middle)
        if middle == 9000000 then for i = 1, 1000000 do end end
        return name
      end
      """)
    let (alone, _) = try things.outcome(workers: 1) { $0.instructions = 100_000 }
    #expect(alone.error?.contains("instruction limit") == true)
    let (found, _) = try things.outcome(workers: 3) { $0.instructions = 100_000 }
    #expect(found.error == alone.error)
    #expect(found.rows == alone.rows)
  }
}
