import StorePipeline
import Testing

@Suite("Hostile pipeline files")
struct HostilePipelineTests {
  @Test(
    "a file that takes too much is stopped, and that is reported",
    arguments: [
      // By instructions; on a slow machine by time.
      ("while true do end", "2: stopped: its "),
      ("while true do pcall(error) end", "2: stopped: its "),
      ("local s = ('x'):rep(1 << 28)", "2: the result would take 262144 KiB"),
      ("local t = {}\nfor i = 1, 1e9 do t[i] = i end", "3: stopped: its memory limit is used up"),
      (
        "local t = { 1 }\nfor i = 1, 40 do t = { t, t } end\nstage \"copy\" { x = t }",
        "4: stage 'copy' has no option 'x'"
      ),
    ])
  func budget(text: String, mistake: String) {
    let mistakes = PipelineText(PipelineText.header + text).mistakes()
    #expect(mistakes.contains { $0.hasPrefix(mistake) }, "\(mistakes)")
  }

  @Test("a function that calls itself for ever is stopped, at a line if this release of Lua has it")
  func recursion() {
    let text = "local function f() return f() + 1 end f()"
    let mistakes = PipelineText(PipelineText.header + text).mistakes()
    // While it moves its stack, a later release of Lua 5.4 knows no line.
    let expected = ["2", "0"].map { "\($0): stopped: its memory limit is used up" }
    #expect(mistakes.contains { expected.contains($0) }, "\(mistakes)")
  }

  @Test(
    "what is not plain data is reported with its option",
    arguments: [
      ("function() end", "a function"), ("print", "a function"),
      ("setmetatable({}, { __index = function() return 1 end })", "a table with a metatable"),
      ("(function() local t = {} t[1] = t return t end)()", "a table that contains itself"),
      ("{ [{}] = 1 }", "a table with keys that are not texts"),
      ("{ 1, nil, [7] = 2 }", "a list with a nil in it"),
      ("{ [1.5] = 2 }", "a list with a nil in it"),
      ("'\\xFF'", "a string that is not UTF-8"), ("{ ['\\xFF'] = 1 }", "a table with a name that"),
      ("param", "a table with a metatable"), ("stage 'copy' {}", "'stage'"),
      (
        "(function() local t = {} for i = 1, 40 do t = { t } end return t end)()",
        "a table nested too deeply"
      ),
    ])
  func notPlain(value: String, kind: String) {
    let text = PipelineText.header + "stage \"metadata\" {\n  set = { a = \(value) },\n}"
    let mistakes = PipelineText(text).mistakes()
    #expect(
      mistakes.contains { $0.contains("option 'set.a") && $0.contains("not \(kind)") },
      "\(mistakes)")
  }

  @Test(
    "the system, the host's own functions and the words themselves are out of reach",
    arguments: [
      ("os.remove('x')", "'os' is not available"), ("io.open('x')", "'io' is not available"),
      ("pipeline_host.problem('x')", "unknown name 'pipeline_host'"),
      ("stage = 5", "'stage' takes no equals sign: stage \"name\" { ... }"),
      ("require 'x'", "module"),
    ])
  func reach(text: String, mistake: String) {
    let mistakes = PipelineText(PipelineText.header + text).mistakes()
    #expect(mistakes.contains { $0.hasPrefix("2: ") && $0.contains(mistake) }, "\(mistakes)")
  }

  @Test("of very many mistakes a hundred are reported for each construct")
  func manyMistakes() {
    let text = """
      local t = {}
      for i = 1, 5000 do t["x" .. i] = i end
      stage "open" (t)
      """
    #expect(PipelineText(PipelineText.header + text).mistakes().count < 110)
  }

  @Test("up to ten unknown words are reported, and evaluation ends")
  func manyUnknownWords() {
    let words = (1...30).map { "unknown\($0)x { }" }.joined(separator: "\n")
    let mistakes = PipelineText(PipelineText.header + words).mistakes()
    #expect(mistakes.count { $0.contains("unknown name") } == 10)
  }

  @Test("an error that pretends to be an unknown word ends the evaluation")
  func pretence() {
    let mistakes = PipelineText(PipelineText.header + "error(\"unknown name 'x'\", 0)").mistakes()
    #expect(mistakes.first == "2: unknown name 'x'")
  }
}
