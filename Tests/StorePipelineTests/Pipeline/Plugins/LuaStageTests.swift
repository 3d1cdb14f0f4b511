import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("A stage in Lua", .temporaryFolder)
struct LuaStageTests {
  private static let full = """
    return {
      name = "stamp", summary = "Stamps.", details = "With ink.",
      options = {
        entity = { type = "entity", required = true, help = "What is stamped." },
        ink = { type = "choice", choices = { "red", "blue" }, default = "red", help = "The ink." },
        times = { type = "integer", min = 1, max = 9, default = 2, help = "How often." },
        words = { type = "text", list = true, default = { "a" }, help = "The words." },
      },
      consumes = { "objects" },
      touches = function(options) return { options.entity .. ".title" } end,
      example = 'stage "stamp" { entity = "Note" }',
      run = function(ctx)
        ctx.warn(ctx.options.ink .. ctx.options.times .. ctx.options.words[1])
      end,
      resume = function(ctx) end,
    }
    """

  private static func load(_ text: String) throws -> LuaStage {
    let path = TemporaryFolder.url.appending(path: "stage.lua").path
    try Data(text.utf8).write(to: URL(filePath: path))
    return try LuaStage.load(path: path)
  }

  @Test("its file says what a description has, options in the order of their lines")
  func description() throws {
    let stage = try Self.load(Self.full)
    let about = stage.description
    #expect(about.name == "stamp")
    #expect(about.summary == "Stamps.")
    #expect(about.details == "With ink.")
    #expect(about.options.map(\.name) == ["entity", "ink", "times", "words"])
    #expect(about.options[0].type == .name(.entity) && about.options[0].isRequired)
    #expect(about.options[1].default == .text("red"))
    #expect(about.options[2].type == .integer(1...9))
    #expect(about.options[3].default == .list([.text("a")]))
    #expect(about.consumes == [.objects] && about.produces == [])
    #expect(about.touches == [.destination] && about.place == .inStep && about.mayRepeat)
    #expect(stage.isResumable)
  }

  @Test("its digest is that of the file and of what it requires")
  func digest() throws {
    let module = TemporaryFolder.url.appending(path: "words.lua")
    try Data("return 1".utf8).write(to: module)
    let text = "local words = require(\"words\")\n" + Self.full
    let digest = try Self.load(text).digest
    #expect(try Self.load(text).digest == digest)
    try Data("return 2".utf8).write(to: module)
    #expect(try Self.load(text).digest != digest)
  }

  @Test(
    "mistakes in it are reported with their lines",
    arguments: [
      ("return 7", "1: the file returns a number; a stage returns one table"),
      ("retrun {}", "1: unknown name 'retrun'"), ("return {", "1: unexpected symbol near <eof>"),
      (
        "return { nmae = 'x', name = 'x', summary = 'S.', touches = {}, run = print }",
        "1: a stage has no 'nmae'; did you mean 'name'?"
      ),
      ("return {\n name = 'A b', summary = 'S.', touches = {}, run = print }", "2: 'name' must be"),
      ("return { name = 'x', touches = {}, run = print }", "1: 'summary' must be a text, not nil"),
      (
        "return { name = 'x', summary = 'S.', touches = {} }",
        "1: 'run' must be a function, not nil: run = function(ctx) ... end"
      ),
      (
        "return { name = 'x', summary = 'S.', touches = {}, run = print,\n resume = true }",
        "2: 'resume' must be a function, not a boolean: resume = function(ctx) ... end"
      ),
      ("return { name = 'x', summary = 'S.', run = print }", "1: 'touches' must be a list of"),
      (
        "return { name = 'x', summary = 'S.', touches = {}, run = print,\n consumes = {'stores'} }",
        "2: a stage in Lua consumes { \"objects\" }, and nothing else"
      ),
      (
        "return { [1] = 2, name = 'x', summary = 'S.', touches = {}, run = print }",
        "1: the stage's"
      ),
    ])
  func mistakes(text: String, told: String) throws {
    let error = #expect(throws: PipelineFileError.self) { try Self.load(text) }
    let first = try #require(error?.problems.first)
    #expect("\(first.line): \(first.message)".hasPrefix(told))
  }

  @Test(
    "mistakes in its options are reported with their names",
    arguments: [
      ("7", "option 'o' must be a table: o = { type = \"text\", help = \"...\" }"),
      ("{ type = 'text' }", "option 'o' needs a 'help' that says what it is for"),
      ("{ help = 'H.' }", "option 'o' needs a 'type': boolean, integer"),
      (
        "{ type = 'txt', help = 'H.' }",
        "option 'o' has an unknown type 'txt'; did you mean 'text'?"
      ),
      ("{ type = 'choice', help = 'H.' }", "option 'o' needs 'choices', a list of texts"),
      ("{ type = 'integer', min = 2, max = 1, help = 'H.' }", "option 'o' has a 'min' that is"),
      ("{ type = 'text', defalt = 1, help = 'H.' }", "option 'o' has no 'defalt'; did you mean"),
      ("{ type = 'text', list = 1, help = 'H.' }", "option 'o' has a 'list' that is a number"),
      (
        "{ type = 'text', required = true, default = 'a', help = 'H.' }",
        "option 'o' is required, and needs no 'default'"
      ),
      (
        "{ type = 'integer', default = 'a', help = 'H.' }",
        "the default of option 'o' must be a number, not a string"
      ),
    ])
  func options(option: String, told: String) throws {
    let text = """
      return { name = "x", summary = "S.", touches = {}, run = print, options = { o = \(option) } }
      """
    let error = #expect(throws: PipelineFileError.self) { try Self.load(text) }
    #expect(error?.problems.first?.message.hasPrefix(told) == true, "\(error?.problems ?? [])")
  }

  @Test("loading one that loops or takes all memory is a mistake")
  func hostile() {
    for text in ["while true do end", "local t = {} while true do t[#t + 1] = ('x'):rep(2^20) end"]
    {
      #expect(throws: PipelineFileError.self) { try Self.load(text) }
    }
  }

  @Test("a file that is not there is a mistake")
  func missing() {
    let error = #expect(throws: PipelineFileError.self) { try LuaStage.load(path: "/no/such.lua") }
    #expect(error?.problems.map(\.message) == ["there is no such file"])
  }

  @Test("its options are checked like those of a stage that ships, and reach it")
  func use() async throws {
    let sample = try StageSample(Self.full)
    #expect(
      sample.mistakes("stage \"stamp\" { entity = \"Note\", ikn = \"red\", times = 12 }") == [
        "test.pipeline:10: stage 'stamp' has no option 'ikn'; did you mean 'ink'?",
        "test.pipeline:10: option 'times' must be between 1 and 9, not 12",
      ])
    #expect(
      sample.mistakes("stage \"stamp\" { entity = \"Noet\" }") == [
        "test.pipeline:10: 'Notes 2' has no entity 'Noet'; did you mean 'Note'?"
      ])
    #expect(
      sample.mistakes("stage \"stmap\" { entity = \"Note\" }") == [
        "test.pipeline:10: unknown stage 'stmap'; did you mean 'stamp'?"
      ])
    let text = sample.text("stage \"stamp\" { entity = \"Note\", ink = \"blue\" }")
    #expect(try await sample.run(text).warnings == ["stamp: blue2a"])
  }

  @Test("what it touches is compared with the model")
  func touches() throws {
    let sample = try StageSample(StageSample.file("", touches: "{ \"Note.titel\", \"Noet\" }"))
    #expect(
      sample.mistakes() == [
        "test.pipeline:10: mine touches: Note of 'Notes 2' has no property 'titel'; "
          + "did you mean 'title'?",
        "test.pipeline:10: mine touches: 'Notes 2' has no entity 'Noet'; did you mean 'Note'?",
      ])
    for touches in ["{ 7 }", "{ a = 1 }", "function() return 7 end", "function() error('no') end"] {
      try sample.write(StageSample.file("", touches: touches))
      #expect(sample.mistakes().count == 1)
    }
  }

  @Test("a name that is taken is a mistake; so is a file that is no stage")
  func names() throws {
    let sample = try StageSample(StageSample.file("").replacing("\"mine\"", with: "\"redact\""))
    #expect(
      sample.mistakes("") == [
        "test.pipeline:2: 'stage.lua' is a stage 'redact', and there is one already; rename it"
      ])
    try sample.write("return nil")
    #expect(
      sample.mistakes("").first == "stage.lua:1: the file returns nil; a stage returns one table")
  }

  @Test("what makes objects cannot stand below it")
  func order() throws {
    let sample = try StageSample(StageSample.file(""))
    #expect(
      sample.mistakes("stage \"mine\" {}\nstage \"connect\" {}") == [
        "test.pipeline:11: stage 'connect' stands below 'mine' (line 10), which changes what is "
          + "there; put it above"
      ])
  }

  @Test("a pipeline brings it along in its JSON, too")
  func json() throws {
    let sample = try StageSample(StageSample.file(""))
    let pipeline = try PipelineFile(sample.text(), path: sample.sample.path("a.pipeline"))
      .pipeline()
    let again = try PipelineFile(pipeline.json, path: sample.sample.path("b.json")).pipeline()
    #expect(again.plugins == pipeline.plugins && again.digest == pipeline.digest)
  }

  @Test("a changed file is another plan")
  func digests() throws {
    let sample = try StageSample(StageSample.file(""))
    let digest = try sample.sample.plan(sample.text()).digest
    #expect(try sample.sample.plan(sample.text()).digest == digest)
    try sample.write(StageSample.file("local a"))
    #expect(try sample.sample.plan(sample.text()).digest != digest)
  }
}
