import CoreDataStore
import Foundation
import Lua
import StoreMigration
import StorePipeline
import TestSupport
import Testing

@Suite("Workers for create", .temporaryFolder)
struct CreateWorkersTests {
  private static let making = """
    if n % 7 == 0 then return end
    local copy = n % 2 == 0 and new.Item(item) or ctx.default()
    copy.title = (item.name or "?") .. "!"
    copy.note = tostring(copy.total)
    copy.place = ctx.random(1000)
    local data = item.file or item.image
    if data then
      copy.photo = new.Photo { data = data, size = #data }
      copy.photo.size = copy.photo.size + 1
    end
    if n % 5 == 0 then
      copy.tags = { new.Tag { word = "a" .. n }, new.Tag { word = item.owner and item.owner.name } }
    end
    if n % 37 == 0 then ctx.warn("warned of " .. n) end
    if n % 17 == 0 then copy.sum = "1.2345678901234567890123" end
    """

  private static let attributes = "attributes = { total = function(qty) return qty * 1.5 end },"

  /// Checks that any number of workers comes to what one comes to, and gives back that.
  private func compare(
    _ items: ManyItems, ahead: ClosedRange<Int>, _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> WorkersOutcome {
    let (alone, none) = try items.outcome(workers: 1, change)
    #expect(none == 0)
    for workers in [2, 3, 7] {
      let (found, count) = try items.outcome(workers: workers, change)
      #expect(found == alone, "with \(workers)")
      #expect(ahead.contains(count), "with \(workers)")
    }
    return alone
  }

  @Test("objects, keys, links, warnings and counts are those of one worker")
  func making() throws {
    let items = try ManyItems(
      Self.making + " return copy",
      hooks: Self.attributes + "relate = function(made) made.note = (made.note or '') .. '.' end,")
    let alone = try compare(items, ahead: ManyItems.count...ManyItems.count)
    #expect(alone.counts.made["Item"] == 1286)
    #expect(alone.counts.rounded > 70)
    #expect(alone.warnings.count > 30)
    #expect(alone.rows.contains { $0.contains("20001") })
  }

  @Test("what depends on the objects before waits for its turn, and no more than that")
  func order() throws {
    let items = try ManyItems(
      Self.making + """

        if n % 11 == 0 then
          ctx.state.n = (ctx.state.n or 0) + 1
          copy.note = "state " .. ctx.state.n
        elseif n % 13 == 0 then
          copy.note = ctx.count("Tag") .. " " .. #ctx.find("Tag", { word = "a5" })
        elseif n % 19 == 0 then
          copy.note = #ctx.destinations(item) .. " " .. #ctx.sources(copy)
        elseif n % 23 == 0 then
          pcall(function() copy.note = ctx.find("Item", { name = "item 1" })[1].title end)
        elseif n % 29 == 0 then
          copy.note = copy.name
        end
        return copy
        """, hooks: Self.attributes)
    let alone = try compare(items, ahead: 1000...1250)
    #expect(alone.rows.contains { $0.contains("state 100") })
    #expect(alone.rows.contains { $0.contains("item 1!") })
  }

  @Test("an object that is there already stands for another one as with one worker")
  func association() throws {
    let items = try ManyItems(
      """
      if n % 3 == 0 then return ctx.find("Item", { title = "first" })[1] end
      local copy = ctx.default()
      if n == 1 then copy.title = "first" end
      return copy
      """)
    let alone = try compare(items, ahead: 850...900)
    #expect(alone.counts.made == ["Item": 900])
  }

  @Test(
    "what fails, is left out or is rejected is reported and counted as by one worker",
    arguments: [ScriptOptions.OnError.stop, .skip, .reject])
  func failures(onError: ScriptOptions.OnError) throws {
    let items = try ManyItems(
      Self.making + """

        if n % 31 == 0 then ctx.skip("a 31st") end
        if n % 41 == 0 and n > 300 then error("no " .. n) end
        if n % 43 == 0 then ctx.reject("rejected") end
        if n % 47 == 0 and n > 300 then new.Base { mark = "x" } end
        if n % 53 == 0 and n > 300 then copy.place = "x" end
        return copy
        """, hooks: Self.attributes)
    let alone = try compare(items, ahead: 200...1450) { $0.onError = onError }
    #expect((alone.error == nil) == (onError != .stop))
    #expect(alone.counts.skipped > 5)
    #expect(onError == .stop || alone.failures.contains { $0.contains("abstract") })
    #expect(onError == .stop || !alone.rejects.isEmpty)
  }

  @Test("ctx.fail ends the run at the object where one worker ends it")
  func fail() throws {
    let items = try ManyItems("if n == 901 then ctx.fail('enough') end return ctx.default()")
    let alone = try compare(items, ahead: 700...901)
    #expect(alone.error?.contains("enough") == true)
  }

  @Test("where nearly all objects wait for their turn, the workers stop")
  func useless() throws {
    let items = try ManyItems(
      "ctx.state.n = (ctx.state.n or 0) + 1 ctx.default().place = ctx.state.n")
    _ = try compare(items, ahead: 0...0)
  }

  @Test("a script that keeps something outside ctx.state runs as with one from there on")
  func keeping() throws {
    let items = try ManyItems(
      """
      if n == 800 then kept = kept .. "x" end
      local copy = ctx.default()
      copy.note = kept
      """, before: "local kept = 'k'")
    let alone = try compare(items, ahead: 1...700)
    #expect(alone.rows.contains { $0.contains("|kx|") })
  }

  @Test("a script whose 'begin' sets a local variable runs as with one")
  func begun() throws {
    let items = try ManyItems(
      "ctx.default().note = kept", before: "local kept = 'k'",
      hooks: "begin = function(ctx) kept = 'begun' end,")
    _ = try compare(items, ahead: 0...0)
  }

  @Test("a run resumes with another number of workers")
  func resumed() throws {
    let items = try ManyItems(
      Self.making + " if n % 9 == 0 then ctx.state.n = n copy.note = 'n' .. ctx.state.n end",
      hooks: Self.attributes)
    let (alone, _) = try items.outcome(workers: 1)
    for (workers, next) in [(1, 3), (3, 1), (2, 7)] {
      do {
        let builder = try items.builder()
        let run = try items.run(builder, workers: workers)
        for _ in 0..<2 { #expect(try run.chunk()) }
        run.endWorkers()
        try builder.close()
      }
      let builder = try items.builder()
      let run = try items.run(builder, workers: next)
      try ScriptSample.finish(run)
      var found = try items.outcome(of: run, builder)
      // The first process reported its own warnings.
      found.warnings = alone.warnings
      #expect(found == alone, "from \(workers) to \(next)")
      #expect((run.takenAhead > 0) == (next > 1))
      try items.remove(builder)
    }
  }

  @Test("a cancelled run ends, though its create never would", arguments: [1, 2])
  func cancelled(workers: Int) throws {
    try ManyItems("while n > 900 do end return ctx.default()").cancel(workers: workers)
  }

  @Test("where no worker can open the source, all is done by the one that writes")
  func noConnection() throws {
    try ManyItems(Self.making, hooks: Self.attributes).checkWithoutConnection()
  }
}
