import StorePipeline
import Testing

@Suite("Mistakes in a pipeline file")
struct PipelineMistakesTests {
  @Test("all of them are reported at once, in the order of their lines")
  func allAtOnce() {
    let text = """
      pipeline "P" {
        format = 1,
        model  = "P.mom",
        target = 4,
      }
      stage "detect" {}
      stage "open"   { wait = "soon" }

      local common = { on_eror = "stop" }

      stage "copy" {
        common,
        chunk = "500",
        start = "epmty",
      }
      stage "valdate" { strict = true }
      stage "transform" {
        entity  = "Item",
        rejects = -1,
      }
      stage "swap" { backup = { keep = 3, days = 3 } }
      """
    #expect(
      PipelineText(text).mistakes() == [
        #"1: the pipeline needs the option 'models': models = "Model.xcdatamodeld""#,
        "3: the pipeline has no option 'model'; did you mean 'models'?",
        "4: option 'target' must be a string, not a number",
        """
        7: option 'wait' must be a whole number and a unit (ms, s, min, hours, days), like "10 s", \
        not "soon"
        """,
        "11: stage 'copy' has no option 'on_eror'; it has chunk, start, accept_loss",
        "13: option 'chunk' must be a table or a number, not a string",
        """
        14: option 'start' must be "auto" or "clone" or "empty", not "epmty"; \
        did you mean "empty"?
        """,
        "16: unknown stage 'valdate'; did you mean 'validate'?",
        "17: stage 'transform' needs the option 'script'",
        "19: option 'rejects' must be at least 0, not -1",
        "21: option 'backup' needs either 'keep' or 'days'",
      ])
  }

  @Test("an unknown word is reported, and what stands behind it is checked all the same")
  func unknownWord() {
    let text = """
      bakup {
        keep = 3,
      }
      stage "detect" { skript = "a.lua" }
      stge "open" {}
      """
    #expect(
      PipelineText(PipelineText.header + text).mistakes() == [
        "2: unknown name 'bakup'",
        "5: stage 'detect' has no option 'skript'; did you mean 'script'?",
        "6: unknown name 'stge'; did you mean 'stage'?",
      ])
  }

  @Test("the name of a stage without its word is reported with the word")
  func stageAsWord() {
    let text = PipelineText.header + PipelineText.stages + #"backup { to = "b" }"#
    #expect(
      PipelineText(text).mistakes() == [
        #"3: unknown name 'backup'; write stage "backup" { ... }"#
      ])
  }

  @Test("a text that is not Lua is one mistake, on its line")
  func syntax() {
    let text = """
      pipeline "P" {
        format = 1                       -- a comma is missing
        models = "P.mom",
      }
      """
    #expect(
      PipelineText(text).mistakes() == [
        "3: '}' expected (to close '{' at line 1) near 'models'; is a comma missing before models?"
      ])
  }

  @Test(
    "what other languages write is answered with what Lua writes",
    arguments: [
      (
        "// a comment", "2: unexpected symbol near '//'; a comment begins with --"
      ),
      (
        #"stage "copy" {}, stage "swap" {}"#,
        "2: syntax error near ','; no comma stands between two stages, or statements"
      ),
      (
        #"stage "transform" { entity: "A" }"#,
        "2: <name> expected near '\"A\"'; behind a name in a table stands =, and no colon"
      ),
      (
        "local f = function(x) { return x }",
        "2: unexpected symbol near '{'; a function's body ends with end and has no braces"
      ),
      ("let x = 1", "2: syntax error near 'x'; Lua declares a name with local"),
      ("if x is nil then x = 1 end", "2: 'then' expected near 'is'; to compare, write =="),
      ("local x = a ?? b", "2: unexpected symbol near '?'; Lua has no ??; write a or b"),
      ("local x = a?.b", "2: unexpected symbol near '?'; Lua has no ?.; write a and a.b"),
      (
        "if (x) { y = 1 }",
        "2: 'then' expected near <eof>; a block has no braces: if ... then ... end"
      ),
    ])
  func foreign(line: String, message: String) {
    #expect(PipelineText(PipelineText.header + line).mistakes() == [message])
  }

  @Test(
    "a word of Lua that is misspelt or missing is named behind what Lua says",
    arguments: [
      ("lcoal x = 1", "1: syntax error near 'x'; 'lcoal' is no word of Lua: did you mean 'local'?"),
      (
        "local x = funtion() return 1 end",
        "1: <eof> expected near 'end'; 'funtion' is no word of Lua: did you mean 'function'?"
      ),
      (
        "if true thn print(1) end",
        "1: 'then' expected near 'thn'; 'thn' is no word of Lua: did you mean 'then'?"
      ),
      (
        "local function f() if true then return 1 esle return 2 end end",
        "1: 'end' expected near 'esle'; 'esle' is no word of Lua: did you mean 'else'?"
      ),
      (
        "local function f()\nif true then return 1\nend",
        "3: 'end' expected (to close 'function' at line 1) near <eof>; is an end missing above?"
      ),
      (
        "local t = { f = function() return 1 }",
        "1: 'end' expected near '}'; is an end missing before }?"
      ),
      ("print(1) end", "1: <eof> expected near 'end'; is this end one too many?"),
      // A name of the file's own is no slip, and Lua's words stay alone.
      ("local ends = 1 2", "1: unexpected symbol near '2'"),
    ])
  func words(text: String, message: String) {
    #expect(PipelineText(text).mistakes().first == message)
  }

  @Test(
    "a name without quotes that is the value of an option is reported with them",
    arguments: [
      (
        #"stage "swap" { method = rename }"#,
        #"2: option 'method' must be a string, not a function; write method = "rename""#
      ),
      (
        #"stage "open" { cloudkit = carry }"#,
        #"2: unknown name 'carry'; write cloudkit = "carry""#
      ),
      (
        #"stage "copy" { map { entity = "A", attributes = { a = from(phone) } } }"#,
        #"2: unknown name 'phone'; write from("phone")"#
      ),
    ])
  func unquoted(text: String, message: String) {
    #expect(PipelineText(PipelineText.header + text).mistakes().first == message)
  }

  @Test("what goes wrong while the file is evaluated is reported with its line")
  func runtime() {
    let text = PipelineText.header + "\nlocal nothing\nstage \"copy\" { chunk = nothing.rows }"
    #expect(
      PipelineText(text).mistakes().first
        == "4: attempt to index a nil value (local 'nothing')")
  }

  @Test(
    "a word with the wrong things behind it is reported",
    arguments: [
      (
        #"stage "swap""#,
        #"1: stage "swap" has no table behind it; write stage "swap" {}"#
      ),
      ("stage {}", #"1: 'stage' needs a name in quotes, not a table: stage "name" { ... }"#),
      (#"stage "copy" "x""#, #"1: 'stage' needs a table, not a string: stage "name" { ... }"#),
      (
        #"stage "" {}"#,
        #"1: 'stage' needs a name in quotes, not an empty one: stage "name" { ... }"#
      ),
      (
        #"rename "Item""#,
        #"1: 'rename' needs a table, not a string: rename { "Item" }"#
      ),
      (
        #"rename { entity = "A", to = "B" }"#, "1: 'rename' belongs into the table of stage 'copy'"
      ),
      (
        #"stage "open" { drop { "A" } }"#, "1: 'drop' has no place in stage 'open'"
      ),
      (
        #"stage "open" { "now" }"#, "1: stage 'open' has no place for a string in its list"
      ),
      (#"step "2" {}"#, "1: step '2' has no stages"),
      (#"step "2" { 5 }"#, "1: step '2' takes stages alone, not a number"),
      (#"step "2" { a = 5 }"#, "1: step '2' takes stages alone, not 'a'"),
      (
        #"stage "copy" { map { entity = "A", attributes = { b = convert("c", "Integer 23") } } }"#,
        """
        1: option 'attributes.b' converts to an unknown type "Integer 23"; \
        did you mean "Integer 32"?
        """
      ),
      (
        #"stage "copy" { map { entity = "A", attributes = { b = convert("c", "Text") } } }"#,
        """
        1: option 'attributes.b' converts to an unknown type "Text"; did you mean "String"?
        """
      ),
      (
        #"stage "copy" { map { entity = "A", attributes = { b = convert("c", "Colour") } } }"#,
        """
        1: option 'attributes.b' converts to an unknown type "Colour"; there are Integer 16, \
        Integer 32, Integer 64, Decimal, Double, Float, String, Boolean, Date, Binary, UUID, URI
        """
      ),
      (
        #"stage "copy" { map { entity = "A", attributes = { b = convert("c", "Int16") } } }"#,
        """
        1: option 'attributes.b' converts to an unknown type "Int16"; did you mean "Integer 16"?
        """
      ),
      (
        #"stage "copy" { map { entity = "A", attributes = { b = convert("Date", "c") } } }"#,
        """
        1: option 'attributes.b' has its names the wrong way round: convert("c", "Date")
        """
      ),
      (
        #"stage "copy" { map { entity = "A", b = from("c") } }"#,
        "1: 'map' has no option 'b'; write attributes = { b = ... }"
      ),
      (
        #"stage "copy" { rename { from = "A", to = "B" } }"#,
        "1: 'rename' has no option 'from'; did you mean 'entity'?"
      ),
      (
        #"stage "copy" { map { entity = "A", attributes = { b = function(c) return c end } } }"#,
        """
        1: option 'attributes.b' must be a boolean, a number, a string, from or convert, not a \
        function; a function stands in a script: stage "transform" { entity = ..., script = \
        "file.lua" }
        """
      ),
      (
        #"stage "validate" { expect { "none", destination = "count(A)", equals = 0 } }"#,
        "1: unknown name 'expect'; write expect = ..."
      ),
      (
        #"stage "copy" { one { "Item", keep = "first" } }"#,
        #"1: option 'relationship' must be "Entity.property", not "Item""#
      ),
      (
        #"stage "copy" { drop { } }"#,
        #"1: 'drop' needs its names in quotes: drop { "Entity", "Entity.property" }"#
      ),
      (
        #"stage "copy" { where { entity = "A", "a", "b" } }"#,
        "1: 'where' takes one condition, not 2"
      ),
      (#"stage "copy" { chunk = 1.5 }"#, "1: option 'chunk.rows' must be a whole number"),
      (
        #"stage "copy" { chunk = 0 }"#,
        "1: option 'chunk.rows' must be between 1 and 1000000, not 0"
      ),
      (
        #"stage "copy" { chunk = { bytes = "8 MIB" } }"#,
        """
        1: option 'chunk.bytes' must be a number and a unit (B, kB, KiB, MB, MiB, GB, GiB), \
        like "8 MiB", not "8 MIB"
        """
      ),
      (
        #"stage "hook" { command = {} }"#,
        "1: option 'command' must not be empty"
      ),
      (
        #"stage "detect" { script = function() end }"#,
        "1: option 'script' must be a string, not a function"
      ),
      (
        #"stage "metadata" { set = { a = from "b" } }"#,
        "1: option 'set.a' must be plain data, not 'from'"
      ),
      (
        #"stage "metadata" { set = { a = 1 << 60 } }"#,
        "1: option 'set.a' is a whole number beyond 2^53; write it as a text"
      ),
      (
        #"stage "metadata" { set = { a = { 1, b = 2 } } }"#,
        "1: option 'set.a' mixes a list and named fields"
      ),
      (#"stage "metadata" { set = { a = 0/0 } }"#, "1: option 'set.a' must be a finite number"),
    ])
  func wrongTables(text: String, mistake: String) {
    #expect(PipelineText(text + "\n" + PipelineText.header).mistakes().contains(mistake))
  }

  @Test("a file without a pipeline, with two, without stages, or of another format is reported")
  func header() {
    let stages = PipelineText.stages
    #expect(
      PipelineText(stages).mistakes() == [
        #"1: the file has no pipeline: write pipeline "name" { format = 1, models = ... }"#
      ])
    #expect(
      PipelineText(PipelineText.header + PipelineText.header + stages).mistakes() == [
        "2: a second pipeline; the first is on line 1"
      ])
    #expect(
      PipelineText(PipelineText.header).mistakes() == [
        #"1: the pipeline has no stages: write stage "copy" {} and stage "swap" {}"#
      ])
    let format = #"pipeline "P" { format = 2, models = "P.mom", news = true }"# + "\n"
    #expect(
      PipelineText(format + stages).mistakes() == ["1: format 2 is unknown; this version reads 1"])
  }

  @Test("a mistake prints its file, its line and what is wrong")
  func printed() {
    #expect(Problem(file: "a.pipeline", line: 7, message: "no").description == "a.pipeline:7: no")
    #expect(Problem(file: "a.pipeline", line: 0, message: "no").description == "a.pipeline: no")
  }
}
