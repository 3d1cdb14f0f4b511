import CoreDataStore
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A script that fails", .temporaryFolder)
struct ScriptFailureTests {
  private static let total = """
    return { attributes = {
      total = function(price, qty) return price * qty end,
    } }
    """

  @Test("a failure says where, on what, why and what to do, without values")
  func failure() throws {
    let sample = try ScriptSample(Self.total)
    #expect(
      try sample.failure()?.description == """
        \(sample.script.path):2: attempt to perform arithmetic on a nil value (local 'price'); \
        where it may be missing write (price or 0)
            2 |   total = function(price, qty) return price * qty end,
          while making Item.total from Item Z_PK 5 (3 of 3)
          given price, qty
          Nothing in the store was changed. Correct the script, or say on_error = "skip" or \
        "reject" for this transform, and give the same command again.
        """)
  }

  @Test("a module that a function is the first to require is refused, by its line")
  func lateModule() throws {
    let text = """
      return { attributes = {
        total = function() return require("rates").half end,
      } }
      """
    let failure = try ScriptSample(text).failure()?.description
    #expect(failure?.contains(":2: module 'rates' is required inside a function") == true)
  }

  @Test("values are shown when they may be")
  func values() throws {
    let failure = try ScriptSample(Self.total).failure { $0.showsValues = true }
    #expect(failure?.parameters.map(\.description) == ["price = NULL", "qty = 3"])
  }

  @Test(
    "mistakes on a hook's way are reported at the script's line",
    arguments: [
      ("item.nmae = 1", "objects of the source are only read; assign to an object of the target"),
      ("local x = item.nmae", "Item has no 'nmae'; did you mean 'name'?"),
      ("new.Photo { dta = '' }", "Photo has no 'dta'; did you mean 'data'?"),
      ("return null", "unknown name 'null'; Lua writes nil"),
      ("local x = item.name:trim()", "'string' has no 'trim'; write text.trim(...)"),
      ("new.Phto {}", "there is no entity 'Phto'; did you mean 'Photo'?"),
      ("new.Tag {}", #"'creates' does not name 'Tag'; write creates = { "Item", "Photo", "Tag" }"#),
      (
        "new.Photo(7)",
        "'new.Photo' needs an object of the source or a table of values, not a number"
      ),
      (
        "new.Item(new.Item(item))",
        "'new.Item' needs an object of the source, not an object of the target"
      ),
      (
        "new.Item(item).title = 7",
        "cannot set Item.title: it is a String and was given a number; "
          + "write tostring(x) or string.format"
      ),
      ("new.Item(item).title = nil", "cannot set Item.title: it is mandatory and was given nil"),
      (
        "new.Item(item).title = item",
        "cannot set Item.title: it is an attribute and was given an object"
      ),
      (
        "new.Item(item).photo = 'x'",
        "cannot set Item.photo: it needs an object or nil and was given a string"
      ),
      (
        "new.Item(item).photo = new.Item(item)",
        "cannot set Item.photo: it leads to Photo and was given Item"
      ),
      ("new.Item(item).tags = { 1 }", "cannot set Item.tags: its list has a number in it"),
      (
        "new.Item(item).owner = item.owner",
        "cannot set Item.owner: it was given an object of the source; "
          + "ctx.destinations(x) gives those made from it"
      ),
      ("ctx.fnd('Item')", "there is no 'ctx.fnd'; did you mean 'ctx.find'?"),
      ("ctx.now = 1", "'ctx.now' cannot be written"),
      ("ctx.state = 1", "'ctx.state' must be a table"),
      ("ctx.skip()", "'ctx.skip' needs a text that says why"),
      ("ctx.find('Itm')", "there is no entity 'Itm'; did you mean 'Item'?"),
      ("ctx.fail('enough')", "enough"),
      ("seen = item", "global"),
      (
        "keep = keep or item",
        "unknown name 'keep'; a name of your own is declared before it is used, with local"
      ),
      ("new:Item(item)", "write a dot, not a colon: new.Item(...)"),
      ("ctx:find('Item')", "write a dot, not a colon: ctx.find(...)"),
      ("ctx:key()", "write a dot, not a colon: ctx.key(...)"),
      (
        "ctx.find({ name = 'a' })",
        #"'ctx.find' needs the name of an entity first: ctx.find("Entity", { name = value })"#
      ),
      ("error()", #"error was called without a message; write error("what is wrong")"#),
      ("local x = item.name.name", "what stands before .name is a text, and has no properties"),
      ("local x = item.name + 1", "texts are joined with .., and tonumber(x) makes a number"),
      ("local x = item.name .. item", "attempt to concatenate an object"),
      ("for x in item do end", "to go through a list write for i, x in ipairs(list) do"),
      ("local s = {} s.x.y = 1", "where it may be missing test it first, with if"),
      ("local x = nil local y = 'a' .. x", #"where it may be missing write (x or "")"#),
      ("local x = tostrng(1)", "unknown name 'tostrng'; did you mean 'tostring'?"),
      ("local x = string.uper('a')", "'string' has no 'uper'; did you mean 'upper'?"),
      ("new.Item(item).tags = { 'a' }", "its list has a string in it; write objects, as in { new."),
      ("new.Item(item).photo = 1", "was given a number; write new.Photo { ... }"),
      ("new.Photo(item)", "the mapping makes no Photo from an object of Item; write new.Photo {"),
      ("new.Item(item.owner)", "the mapping makes no Item from an object of Person"),
      ("ctx.default(item.owner)", "the mapping makes no Item from an object of Person"),
      ("ctx.random(nil, 5)", "'ctx.random' was given nil as its first argument"),
      ("ctx.warn()", #"'ctx.warn' needs a text that says why: ctx.warn("...")"#),
      ("local x = Photo(item)", "unknown name 'Photo'; new.Photo { ... } makes an object"),
      ("local x = Math.floor(1)", "unknown name 'Math'; did you mean 'math'?"),
      ("local x = ctx.new.Photo {}", "there is no 'ctx.new'; the parameters are the object, new"),
      ("ctx.log('x')", "there is no 'ctx.log'; print(...) shows a line"),
      ("local x = date.now()", "'date' has no 'now'; ctx.now is the time of the run"),
      ("local t = {} t[1].x = 1", "the first of a list is list[1]"),
      ("local t = {} t:push(1)", "a list has no methods"),
      ("new.Item(item).price = 1", "Item has no 'price'; it is a name of the old version"),
      (
        "local x = new.Item(item, { title = 'x' })",
        "'new.Item' takes one object, or one table of values; assign the others to what it makes"
      ),
    ])
  func mistakes(line: String, message: String) throws {
    let failure = try ScriptSample(
      """
      return {
        creates = { "Item", "Photo" },
        create = function(item, new, ctx)
          \(line)
        end,
      }
      """
    ).failure()
    #expect(failure?.line == 4)
    #expect(failure?.sourceLine.contains(line) == true)
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "no failure")")
    #expect(failure?.doing == "running 'create'")
  }

  @Test(
    "an object that is added to a list that was read is an error, unless it is linked",
    arguments: [
      ("table.insert(copy.tags, new.Tag {})", true),
      ("copy.tags[#copy.tags + 1] = new.Tag {}", true),
      ("local tags = copy.tags tags[1] = new.Tag {} copy.tags = tags", false),
      ("local tags, tag = copy.tags, new.Tag {} tags[1] = tag tag.items = { copy }", false),
      ("local tags = ctx.find('Tag') tags[#tags + 1] = new.Tag {}", false),
      ("local t, x = copy.tags, new.Tag {} t[1] = x t[2] = x copy.tags = t", false),
      ("local t = copy.tags t[1] = new.Tag {} new.Item({}).tags = t", false),
      ("local t = copy.tags t[1] = new.Tag {} copy.tags = t copy.tags = {}", false),
      ("local t = copy.tags copy.tags = t t[1] = new.Tag {}", true),
      ("for i = 1, 3 do table.insert(copy.tags, new.Tag {}) end", true),
      ("local t = copy.tags for i = 1, 5 do local n = #copy.tags end t[1] = new.Tag {}", true),
      ("for i = 1, 3 do local t = copy.tags t[i] = new.Tag {} copy.tags = t end", false),
    ])
  func addedToCopy(line: String, isMistake: Bool) throws {
    let failure = try ScriptSample(
      """
      return {
        creates = { "Item", "Tag" },
        create = function(item, new, ctx)
          local copy = new.Item(item)
          \(line)
          return copy
        end,
      }
      """
    ).failure()
    #expect((failure != nil) == isMistake, "\(failure?.message ?? "no failure")")
    guard isMistake else { return }
    #expect(failure?.line == 3)
    #expect(
      failure?.message == "an object was added to the list of 'Item.tags', which is a copy; "
        + "assign the list, as in x.tags = list, or begin one of your own with {}")
  }

  @Test("an object that a script keeps is gone with the call it was passed to")
  func expired() throws {
    let failure = try ScriptSample(
      """
      local kept = {}
      return { create = function(item, new, ctx)
        local before = kept[1] and kept[1].name
        kept[1] = item
      end }
      """
    ).failure()
    #expect(failure?.line == 3)
    #expect(failure?.message == "this object belongs to an earlier call")
  }

  @Test("an object that fails is left out and counted, and what was made for it is undone")
  func skip() throws {
    let sample = try ScriptSample(
      """
      return {
        creates = { "Item", "Photo" },
        create = function(item, new, ctx)
          local made = ctx.default()
          made.photo = new.Photo { data = "x" }
          made.total = item.price * item.qty
          if item.name == "chair" then pcall(ctx.skip, "no chairs") end
        end,
      }
      """)
    let builder = try sample.stores.builder()
    let run = try sample.run(builder) { $0.onError = .skip }
    try ScriptSample.finish(run)
    #expect(run.counts.made == ["Item": 1, "Photo": 1])
    #expect(run.counts.skipped == 1)
    #expect(run.counts.failed == 1)
    #expect(run.failures.map(\.key) == [5])
    let sql = """
      SELECT Z_PK FROM ZITEM UNION ALL SELECT Z_PK FROM ZPHOTO UNION ALL
      SELECT object FROM pipeline_objects
      """
    #expect(try BuildSample.rows(sql, builder) == ["1", "1", "1", "1"])
  }

  @Test("a state that cannot be saved ends the run")
  func state() throws {
    let failure = try ScriptSample(
      "return { create = function(item, new, ctx) ctx.state.f = function() end end }"
    ).failure { $0.onError = .skip }
    #expect(failure?.doing == "saving 'ctx.state'")
    #expect(failure?.message == "a function cannot be kept as plain data")
  }

  @Test("each failure names what failed, an attribute's function inside create as well")
  func doing() throws {
    let sample = try ScriptSample(
      """
      return {
        attributes = { total = function(price) return price < 3 and nil + 1 or price end },
        create = function(item, new, ctx)
          if item.name == "chair" then error("no chairs") end
          new.Item(item)
        end,
      }
      """)
    let run = try sample.run(try sample.stores.builder()) { $0.onError = .skip }
    try ScriptSample.finish(run)
    #expect(
      run.failures.map(\.doing) == [
        "making Item.total", "running 'create'", "making Item.total",
      ])
    #expect(run.failures.map(\.line) == [2, 4, 2])
    #expect(run.failures.map(\.row) == [1, 2, 3])
  }

  @Test("an object that fails, or is rejected, is kept with its values")
  func reject() throws {
    let sample = try ScriptSample(
      """
      return { attributes = {
        total = function(price, qty, ctx)
          if price == 30 then ctx.reject("too dear") end
          return price * qty
        end,
      } }
      """)
    let builder = try sample.stores.builder()
    let run = try sample.run(builder, chunk: 1) { $0.onError = .reject }
    try ScriptSample.finish(run)
    #expect(run.counts.made == ["Item": 1])
    #expect(run.counts.rejected == 2)
    let rejects = try RejectStore(path: sample.stores.path("rejects.sqlite"))
    var found: [Reject] = []
    try rejects.forEach(run: "run") { found.append($0) }
    try rejects.close()
    #expect(found.map(\.key) == [2, 5])
    #expect(found.map(\.line) == [3, 4])
    #expect(found.first?.reason == "too dear")
    #expect(found.allSatisfy { $0.values.starts(with: Array("bplist00".utf8)) })
  }

  @Test("a hook that fails ends the run, whatever happens to objects")
  func hook() throws {
    let sample = try ScriptSample(
      """
      return {
        validate = function(ctx)
          if ctx.count("Item", "total > 1") == 0 then ctx.fail("no totals") end
        end,
      }
      """)
    let failure = try sample.failure { $0.onError = .skip }
    #expect(failure?.message == "no totals")
    #expect(failure?.doing == "running 'validate'")
    #expect(failure?.line == 3)
  }

  @Test("a script that does not end is stopped, and never skipped")
  func endless() throws {
    let text = "return { attributes = { title = function(name)\n while true do end end } }"
    let failure = try ScriptSample(text).failure {
      $0.onError = .skip
      $0.instructions = 100_000
    }
    #expect(failure?.line == 2)
    #expect(failure?.remedy.contains("less at once") == true)
  }

  @Test("an attribute that the new version does not have is a mistake of the script's")
  func unknownAttribute() throws {
    let sample = try ScriptSample("return { attributes = { totl = function() return 1 end } }")
    #expect(throws: Problem.self) { _ = try sample.failure() }
  }
}
