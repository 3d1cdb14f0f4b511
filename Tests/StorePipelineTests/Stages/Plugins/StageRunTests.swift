import CoreDataStore
import Foundation
import Lua
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A stage in Lua at work", .temporaryFolder)
struct StageRunTests {
  private static func rows(_ body: String, _ sql: String) async throws -> [String] {
    let sample = try StageSample(StageSample.file(body))
    try await sample.run()
    return try sample.rows(sql)
  }

  @Test("it goes through objects in the order of their keys, reads, sets and links them")
  func each() async throws {
    let rows = try await Self.rows(
      """
      local last
      ctx.each("Note", "title != 'Bread'", function(note)
        ctx.state.count = (ctx.state.count or 0) + 1
        note.title = ctx.state.count .. " " .. note.title .. " in " .. note.folder.name
        last = ctx.find("Folder", { name = "Work" })[1]
        note.folder = last
      end)
      """, "SELECT ZTITLE, ZFOLDER FROM ZNOTE ORDER BY Z_PK")
    #expect(rows == ["1 Milk in Home|2", "Bread|1", "2 Report in Work|2"])
  }

  @Test("it makes objects, which the pass at work does not come to")
  func make() async throws {
    let rows = try await Self.rows(
      """
      ctx.each("Label", function(label)
        ctx.make("Label", { name = label.name .. "!", notes = label.notes })
      end)
      """, "SELECT Z_PK, ZNAME FROM ZLABEL ORDER BY Z_PK")
    #expect(rows == ["1|shop", "2|shop!"])
  }

  @Test("it takes objects out, and nothing leads to them any more")
  func delete() async throws {
    let sample = try StageSample(
      StageSample.file(
        """
        ctx.each("Folder", function(folder)
          if folder.name == "Home" then ctx.delete(folder) end
        end)
        ctx.each("Label", function(label) ctx.delete(label) end)
        """))
    #expect(try await sample.run().outcome == .swapped)
    #expect(
      try sample.rows("SELECT Z_PK, ZFOLDER FROM ZNOTE ORDER BY Z_PK") == [
        "1|NULL", "2|NULL", "3|2",
      ])
    #expect(try sample.rows("SELECT count(*) FROM ZFOLDER") == ["1"])
    #expect(try sample.rows("SELECT count(*) FROM ZLABEL") == ["0"])
    let join = try sample.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    #expect(try sample.rows("SELECT count(*) FROM \(try #require(join.first))") == ["0"])
    #expect(
      try sample.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Label'") == ["1"])
  }

  @Test("an object that was taken out is passed over, and is an error where it is used")
  func gone() async throws {
    let rows = try await Self.rows(
      """
      ctx.each("Note", function(note)
        local others = ctx.find("Note", "title != 'Milk'")
        for _, other in ipairs(others) do ctx.delete(other) end
        ctx.warn(tostring(pcall(function() return others[1].title end)))
        note.title = "alone"
      end)
      """, "SELECT ZTITLE FROM ZNOTE")
    #expect(rows == ["alone"])
  }

  @Test("groups are objects with equal values, ordered, numbered by their first keys")
  func groups() async throws {
    let sample = try StageSample(
      StageSample.file(
        """
        ctx.groups("Note", { "title" }, { order = "-created" }, function(note, first, number)
          note.body = number .. (note == first and " first" or " " .. first.body)
        end)
        """),
      adding: """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATED) VALUES
          (4, 2, 1, 'Milk', 700000500), (5, 2, 1, 'Bread', 1);
        """)
    try await sample.run()
    #expect(
      try sample.rows("SELECT Z_PK, ZBODY FROM ZNOTE ORDER BY Z_PK") == [
        "1|3 3 first", "2|1 first", "3|2 first", "4|3 first", "5|1 1 first",
      ])
    #expect(
      try sample.rows("SELECT name FROM sqlite_master WHERE name LIKE 'pipeline%'").isEmpty)
  }

  @Test("it may only change what it has said")
  func touches() throws {
    let builder = try StageBench.builder()
    for (body, name) in [
      ("note.title = 'a'", "Note.title"), ("note.folder = nil", "Note.folder"),
      ("ctx.delete(note)", "Note"), ("ctx.make('Folder', {})", "Folder"),
      ("ctx.merge(note, ctx.find('Note', \"title = 'Bread'\")[1])", "Note"),
    ] {
      let text = StageSample.file(
        "ctx.each(\"Note\", function(note) \(body) end)", touches: "{ \"Note.body\" }")
      let failure = try StageBench.failure(text, builder)
      #expect(failure?.message.hasPrefix("'touches' does not name \(name), and only") == true)
    }
    let text = StageSample.file(
      "ctx.each(\"Note\", function(note) note.titel = 'a' end)", touches: "{ \"Note.body\" }")
    let misspelt = try StageBench.failure(text, builder)
    #expect(misspelt?.message == "Note has no 'titel'; did you mean 'title'?")
    try builder.close()
  }

  private static let mistaken = [
    ("error('no luck')", "no luck"), ("error({})", "(error object is a table value)"),
    ("error()", "error was called without a message"), ("local a = nil + 1", "attempt to perform"),
    ("ctx.fail('enough')", "enough"), ("pcall(ctx.fail, 'enough')", "enough"),
    ("ctx.eech()", "there is no 'ctx.eech'; did you mean 'ctx.each'?"),
    ("ctx.each('Noet', print)", "there is no entity 'Noet'; did you mean 'Note'?"),
    ("ctx.each('Note', 'titel = 1', print)", "cannot use the condition"),
    ("ctx.each('Note', 7, print)", "a condition is a text, or a table of names and values"),
    ("ctx.each('Note')", "'ctx.each' needs a function at its end"),
    ("ctx.groups('Note', {}, print)", "'ctx.groups' needs the name of a property, or a list"),
    ("ctx.groups('Note', 'titel', print)", "cannot put objects into groups: Note.titel"),
    ("ctx.groups('Attachment', 'data', print)", "cannot put objects into groups"),
    ("ctx.groups('Note', 'title', { by = 1 }, print)", "'ctx.groups' has no 'by'"),
    ("ctx.each('Note', function(n) ctx.each('Folder', print) end)", "'ctx.each' stands inside"),
    ("ctx.each('Note', function(n) ctx.checkpoint() end)", "'ctx.checkpoint' is for between"),
    ("ctx.each('Note', function(n) n.titel = 1 end)", "Note has no 'titel'"),
    ("ctx.each('Note', function(n) n.title = 1 end)", "cannot set Note.title: it is a String"),
    ("ctx.each('Note', function(n) n.title = nil end)", "cannot set Note.title: it is mandatory"),
    ("ctx.each('Note', function(n) n.folder = n end)", "cannot set Note.folder: it leads to"),
    ("ctx.each('Note', function(n) ctx.merge(n, n) end)", "cannot use an object"),
    ("ctx.delete(7)", "'ctx.delete' needs an object of the target, not a number"),
    ("ctx.make('Note', { titel = 1 })", "Note has no 'titel'"),
    ("ctx.state = 7", "'ctx.state' must be a table"),
    ("ctx.state.f = print ctx.checkpoint()", ""), ("ctx.now = 1", "'ctx.now' cannot be written"),
    ("ctx.options.size = 1", "'ctx.options' can be read, not written"),
    ("local a = ctx.options.size", "the stage has no option 'size'"),
    ("os.exit()", "'os' is not available"), ("io.open('x')", "'io' is not available"),
    ("coroutine.yield()", "'coroutine' is not available"), ("counter = 1", "global 'counter'"),
  ]

  @Test("mistakes of a stage end it with its file and what is wrong")
  func mistakes() throws {
    let builder = try StageBench.builder()
    for (body, told) in Self.mistaken {
      let failure = try StageBench.failure(StageSample.file(body), builder)
      #expect(failure?.message.hasPrefix(told) == true, "\(body): \(failure?.message ?? "")")
      #expect(failure?.path == "stage.lua" && failure?.doing == "running the stage mine")
    }
    try builder.close()
  }

  @Test("what was done since the last commit is undone when it fails")
  func undone() throws {
    let builder = try StageBench.builder()
    let body = """
      ctx.make("Folder", { name = "kept" })
      ctx.checkpoint()
      ctx.make("Folder", { name = "lost" })
      error("no luck")
      """
    #expect(try StageBench.failure(StageSample.file(body), builder) != nil)
    #expect(try BuildSample.rows("SELECT ZNAME FROM ZFOLDER", builder) == ["kept"])
    try builder.close()
  }

  @Test("a mistake leaves the store of the user as it was")
  func store() async throws {
    let sample = try StageSample(
      StageSample.file("ctx.each('Note', function(note) note.title = 7 end)"))
    let failure = try #require(try await sample.failure())
    #expect(failure.line == 4 && failure.path.hasSuffix("stage.lua"))
  }

  @Test("an object of an earlier call is an error with words")
  func expired() throws {
    let builder = try StageBench.builder()
    let failure = try StageBench.failure(
      StageSample.file(
        """
        local kept
        ctx.each("Note", function(note)
          if kept then kept.title = "late" end
          kept = note
        end)
        """), builder)
    #expect(failure?.message == "an assignment needs an object of the target, not a table")
    try builder.close()
  }

  @Test("one that has no end is stopped: a loop, passes, memory, a number of values")
  func hostile() throws {
    let builder = try StageBench.builder()
    for (body, told) in [
      ("while true do ctx.each('Note', \"title = 'none'\", print) end", "more than 1,000 passes"),
      ("local t = {} while true do t[#t + 1] = ('x'):rep(2^20) end", "stopped: its memory limit"),
      ("local t = setmetatable({}, { __index = function(t, k) return t[k] end }) print(t.x)", ""),
      ("local s = ('x'):rep(2^26)", ""),
      ("print(('x'):rep(100000):find(('.-'):rep(50) .. 'y'))", ""),
    ] {
      let failure = try StageBench.failure(StageSample.file(body), builder)
      #expect(failure?.message.hasPrefix(told) == true, "\(body): \(failure?.message ?? "none")")
    }
    try builder.close()
  }

  @Test("one that loops is stopped when its time is over")
  func endless() throws {
    let builder = try StageBench.builder()
    let failure = try StageBench.failure(
      StageSample.file("while true do pcall(error) end"), builder)
    #expect(failure?.message == "stopped: its time limit is used up")
    try builder.close()
  }

  @Test("several stages of one name are distinguished")
  func several() async throws {
    let sample = try StageSample(
      StageSample.file(
        "ctx.each('Note', function(note) note.title = note.title .. ctx.options.word end)",
        more: "options = { word = { type = 'text', required = true, help = 'A.' } },"))
    try await sample.run(
      sample.text("stage \"mine\" { word = \"a\" }\nstage \"mine\" { word = \"b\" }"))
    #expect(
      try sample.rows("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK") == [
        "Milkab", "Breadab", "Reportab",
      ])
  }

  @Test("values that were taken out are nowhere in the file")
  func freedPages() async throws {
    let sample = try StageSample(
      StageSample.file("ctx.each('Note', function(note) note.body = nil end)"),
      adding: """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZCREATED)
        SELECT i, 2, 1, 'T', 'secret ' || i || hex(zeroblob(200)), 1 FROM n;
        """)
    try await sample.run(nil, RunOptions(output: sample.sample.path("out.sqlite")))
    #expect(try sample.sample.bytes().range(of: Data("secret".utf8)) != nil)
    #expect(try sample.sample.bytes("out.sqlite").range(of: Data("secret".utf8)) == nil)
  }
}
