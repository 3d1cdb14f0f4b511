import CoreDataStore
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A script at work", .temporaryFolder)
struct ScriptRunTests {
  private static let items = "SELECT Z_PK, ZTITLE, ZTOTAL FROM ZITEM ORDER BY Z_PK"

  @Test("functions make attributes, and the mapping does the rest")
  func attributes() throws {
    let sample = try ScriptSample(
      """
      return { attributes = {
        title = function(name) return text.upper(name) end,
        total = function(price, qty) return price and price * qty end,
      } }
      """)
    #expect(try sample.rows(Self.items) == ["1|LAMP|10.0", "2|CHAIR|30.0", "5|BOX|NULL"])
  }

  @Test("a function may read what a relationship leads to, and the context")
  func context() throws {
    let sample = try ScriptSample(
      """
      return { attributes = {
        title = function(name, owner, ctx)
          return name .. " " .. (owner and owner.name or ctx.params.nobody)
        end,
      } }
      """)
    let found = try sample.rows("SELECT ZTITLE FROM ZITEM ORDER BY Z_PK") {
      $0.params = ["nobody": .text("?")]
    }
    #expect(found == ["lamp Ann", "chair ?", "box Ann"])
  }

  @Test("create makes none, one or many objects of an object, linked both ways")
  func create() throws {
    let sample = try ScriptSample(
      """
      return {
        creates = { "Item", "Photo", "Tag" },
        create = function(item, new, ctx)
          if item.name == "chair" then return end
          local copy = new.Item(item)
          copy.title = item.name .. "!"
          if item.image then
            copy.photo = new.Photo { data = item.image, size = #item.image }
            copy.tags = { new.Tag { word = "a" }, new.Tag { word = "b" } }
          end
          return copy
        end,
      }
      """)
    let builder = try sample.stores.builder()
    let run = try sample.run(builder)
    try ScriptSample.finish(run)
    func rows(_ sql: String) throws -> [String] { try BuildSample.rows(sql, builder) }
    #expect(
      try rows("SELECT Z_PK, ZTITLE, ZNAME, ZPHOTO FROM ZITEM ORDER BY Z_PK") == [
        "1|lamp!|lamp|1", "5|box!|box|NULL",
      ])
    #expect(try rows("SELECT Z_PK, ZITEM, ZSIZE, ZDATA FROM ZPHOTO") == ["1|1|2|1 2"])
    #expect(
      try rows("SELECT ZWORD FROM ZTAG JOIN Z_1TAGS ON Z_4TAGS = Z_PK WHERE Z_1ITEMS = 1")
        == ["a", "b"])
    #expect(run.counts.made == ["Item": 2, "Photo": 1, "Tag": 2])
  }

  @Test("attribute functions complete what new and default make")
  func both() throws {
    let sample = try ScriptSample(
      """
      return {
        attributes = { total = function(qty) return qty * 2 end },
        create = function(item, new, ctx)
          local made = ctx.default()
          made.title = "n" .. tostring(made.total)
          return made
        end,
      }
      """)
    #expect(try sample.rows(Self.items) == ["1|n8.0|8.0", "2|n2.0|2.0", "5|n6.0|6.0"])
  }

  @Test("the state of a script lives through chunks and through a kill")
  func state() throws {
    let sample = try ScriptSample(
      """
      return {
        begin = function(ctx) ctx.state = { n = 0, first = {} } end,
        create = function(item, new, ctx)
          ctx.state.n = ctx.state.n + 1
          ctx.state.first[#ctx.state.first + 1] = item.name
          local made = ctx.default()
          made.place = ctx.state.n
          made.title = ctx.state.first[1]
        end,
      }
      """)
    var left = 0
    do {
      let run = try sample.run(try sample.stores.builder(), chunk: 1)
      _ = try run.chunk()
      left = run.progress.total - run.progress.rows
    }
    let builder = try sample.stores.builder()
    let run = try sample.run(builder, chunk: 1)
    try ScriptSample.finish(run)
    #expect(left == 2)
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZPLACE, ZTITLE FROM ZITEM ORDER BY 1", builder)
        == ["1|1|lamp", "2|2|lamp", "5|3|lamp"])
    #expect(run.counts.made == ["Item": 3])
  }

  @Test("hooks come in their order, relate once for each object that was made")
  func hooks() throws {
    let sample = try ScriptSample(
      """
      local function note(word)
        return function(ctx) ctx.warn(word .. " " .. ctx.count("Item")) end
      end
      return {
        begin = note "begin", created = note "created", related = note "related",
        validate = note "validate", finish = note "finish",
        creates = { "Item", "Tag" },
        create = function(item, new, ctx) new.Tag { word = item.name } ctx.default() end,
        relate = function(object, ctx)
          local from = ctx.sources(object)[1]
          local all = ctx.destinations(from)
          if object.title then
            object.tags = ctx.find("Tag", { word = from.name })
            object.title = from.owner and from.owner.name or "nobody"
            object.place = #all
          end
        end,
      }
      """.replacing("if object.title", with: "if object == all[2]"))
    let builder = try sample.stores.builder()
    let run = try sample.run(builder, chunk: 2)
    try ScriptSample.finish(run)
    #expect(
      run.warnings.map(\.message) == [
        "begin 0", "created 3", "related 3", "validate 3", "finish 3",
      ])
    #expect(
      try BuildSample.rows(
        """
        SELECT i.ZNAME, i.ZTITLE, i.ZPLACE, t.ZWORD FROM ZITEM i
        JOIN Z_1TAGS j ON j.Z_1ITEMS = i.Z_PK JOIN ZTAG t ON t.Z_PK = j.Z_4TAGS ORDER BY i.Z_PK
        """, builder) == ["lamp|Ann|2|lamp", "chair|nobody|2|chair", "box|Ann|2|box"])
  }

  @Test("links of the mapping follow what a script made, and relate has the last word")
  func links() throws {
    let sample = try ScriptSample(
      """
      return {
        creates = { "Item" },
        create = function(item, new, ctx)
          ctx.default()
          if item.name == "lamp" then new.Item { title = "shade", name = "shade" } end
        end,
        relate = function(object, ctx)
          if object.name == "box" then object.owner = nil end
          if object.name == "shade" then object.owner = ctx.find("Person")[1] end
        end,
      }
      """)
    let builder = try sample.stores.builder()
    let run = try sample.run(builder)
    while try run.chunk() {}
    let person = try #require(builder.mapping.objects(from: "Person"))
    let people = try builder.copy(of: person)
    while try people.chunk() {}
    _ = try LinkCopy(builder).run { _ in }
    try run.relate()
    try run.finish()
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZNAME, ZOWNER FROM ZITEM ORDER BY Z_PK", builder)
        == ["1|lamp|1", "2|chair|NULL", "5|box|NULL", "6|shade|1"])
  }

  @Test(
    "what create assigns stays, none too, and a list is all that a relationship leads to",
    arguments: [
      ("if item.name == 'lamp' then copy.owner = nil end", ["1|NULL", "2|NULL", "5|1"]),
      (
        "if item.name == 'box' then ctx.find('Person')[1].items = { copy } end",
        ["1|NULL", "2|NULL", "5|1"]
      ),
      (
        "if item.name == 'chair' then copy.owner = ctx.find('Person')[1] end",
        ["1|1", "2|1", "5|1"]
      ),
      ("ctx.find('Person')[1].items = {}", ["1|NULL", "2|NULL", "5|NULL"]),
    ])
  func assigned(_ line: String, _ owners: [String]) throws {
    let sample = try ScriptSample(
      """
      return { create = function(item, new, ctx)
        local copy = ctx.default()
        \(line)
      end }
      """)
    let builder = try sample.stores.builder()
    let person = try #require(builder.mapping.objects(from: "Person"))
    let people = try builder.copy(of: person)
    while try people.chunk() {}
    let run = try sample.run(builder)
    while try run.chunk() {}
    _ = try LinkCopy(builder).run()
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZOWNER FROM ZITEM ORDER BY Z_PK", builder) == owners)
  }

  @Test("several objects become one that stands for all of them, and is related once")
  func severalToOne() throws {
    let sample = try ScriptSample(
      """
      return {
        creates = { "Item" },
        create = function(item, new, ctx)
          local one = ctx.find("Item", "title == 'all'")[1] or ctx.default()
          one.title, one.total = "all", (one.total or 0) + (item.qty or 0)
          return one
        end,
        relate = function(object, ctx)
          object.place = #ctx.sources(object) + 10 * (object.place or 0)
          object.name = ctx.destinations(ctx.sources(object)[1].owner)[1].name
        end,
      }
      """)
    let builder = try sample.stores.builder()
    let person = try #require(builder.mapping.objects(from: "Person"))
    while try builder.copy(of: person).chunk() {}
    let run = try sample.run(builder, chunk: 1)
    while try run.chunk() {}
    let counts = try LinkCopy(builder).run()
    try run.relate()
    #expect(
      try BuildSample.rows(
        "SELECT Z_PK, ZTITLE, ZTOTAL, ZPLACE, ZOWNER, ZNAME FROM ZITEM", builder)
        == ["1|all|8.0|3|1|Ann"])
    #expect(counts.map(\.discarded) == [0] && counts.map(\.kept) == [1])
    #expect(run.counts.made == ["Item": 1])
  }

  @Test("objects that are copied have associations, too, by their keys")
  func copiedAssociations() throws {
    let sample = try ScriptSample(
      """
      return { create = function(item, new, ctx)
        local copy = ctx.default()
        local person = item.owner and ctx.destinations(item.owner)[1]
        if person then copy.title = person.name .. ctx.sources(person)[1].name end
      end }
      """)
    let builder = try sample.stores.builder()
    let person = try #require(builder.mapping.objects(from: "Person"))
    while try builder.copy(of: person).chunk() {}
    try ScriptSample.finish(try sample.run(builder))
    #expect(
      try BuildSample.rows("SELECT ZTITLE FROM ZITEM ORDER BY Z_PK", builder)
        == ["AnnAnn", "-", "AnnAnn"])
  }

  @Test(
    "what was written into the state for an object that is left out is undone with it",
    arguments: [
      ("ctx.skip 'no'", .stop), ("ctx.reject 'no'", .stop), ("error 'no'", .skip),
      ("error 'no'", .reject),
    ] as [(String, ScriptOptions.OnError)])
  func undoneState(_ line: String, _ onError: ScriptOptions.OnError) throws {
    let sample = try ScriptSample(
      """
      return {
        begin = function(ctx) ctx.state = { n = 0, names = {} } end,
        create = function(item, new, ctx)
          ctx.state.n = ctx.state.n + 1
          ctx.state.names[#ctx.state.names + 1] = item.name
          if item.name == "chair" then
            ctx.state = { other = true }
            \(line)
          end
          local made = ctx.default()
          made.place = ctx.state.n
          made.title = table.concat(ctx.state.names, ",")
        end,
      }
      """)
    let found = try sample.rows("SELECT Z_PK, ZPLACE, ZTITLE FROM ZITEM ORDER BY 1", chunk: 2) {
      $0.onError = onError
    }
    #expect(found == ["1|1|lamp", "5|2|lamp,box"])
  }

  @Test("chance and the time are the same each time in a run, and others in another")
  func chance() throws {
    let text = """
      return { attributes = {
        title = function(ctx)
          return string.format("%d %d %s", ctx.random(6), ctx.now, ctx.random())
        end,
        place = function(ctx) return ctx.random(3, 4) end,
      } }
      """
    func rows(_ run: String, in folder: String) throws -> [String] {
      let sample = try ScriptSample(text, in: folder)
      let sql = "SELECT ZTITLE, ZPLACE FROM ZITEM ORDER BY Z_PK"
      return try sample.rows(sql) { $0.runID = run }
    }
    let first = try rows("a", in: "1")
    #expect(Set(first).count == 3)
    #expect(first.allSatisfy { $0.contains(" 1000 0.") })
    #expect(try rows("a", in: "2") == first)
    #expect(try rows("b", in: "3") != first)
  }
}
