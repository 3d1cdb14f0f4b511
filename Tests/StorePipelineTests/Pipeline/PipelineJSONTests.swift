import StorePipeline
import Testing

@Suite("Pipeline as JSON")
struct PipelineJSONTests {
  @Test("the JSON of a pipeline is accepted in place of its file, and says the same")
  func roundTrip() throws {
    let pipeline = try PipelineText(FullExample.text).pipeline()
    let again = try PipelineText(pipeline.json, path: "/elsewhere/plan.json").pipeline()
    #expect(again == pipeline)
    #expect(again.digest == pipeline.digest)
    #expect(again.json == pipeline.json)
  }

  @Test("a direct pipeline goes there and back as well, odd values included")
  func oddValues() throws {
    let text =
      PipelineText.header + """
        stage "detect" {} stage "open" { wait = "90 s" } stage "copy" {}
          stage "metadata" {
          set = { list = { 1, 2.5, "x" }, empty = {}, deep = { a = { b = true } } },
        }
        stage "swap" { backup = { keep = "14 days" } }
        """
    let pipeline = try PipelineText(text).pipeline()
    #expect(try PipelineText(pipeline.json).pipeline() == pipeline)
    #expect(pipeline.stages.last?.stage["backup"]?["keep"] == .duration(.seconds(14 * 86_400)))
  }

  @Test("the digest stays the same when lines move, and changes with what is said")
  func digest() throws {
    let text = PipelineText.header + PipelineText.stages
    let digest = try PipelineText(text).pipeline().digest
    #expect(digest.wholeMatch(of: /[0-9a-f]{64}/) != nil)
    #expect(try PipelineText("-- a comment\n\n" + text).pipeline().digest == digest)
    #expect(try PipelineText(text, path: "/other/place.pipeline").pipeline().digest == digest)
    let other = text.replacing(#"stage "copy" {}"#, with: #"stage "copy" { chunk = 9 }"#)
    #expect(try PipelineText(other).pipeline().digest != digest)
  }

  @Test("paths of evaluated JSON stay relative to the file it came from")
  func folder() throws {
    let text = PipelineText.header + PipelineText.stages
    let pipeline = try PipelineText(text, path: "/p/up.pipeline").pipeline()
    let again = try PipelineText(pipeline.json, path: "/q/plan.json").pipeline()
    #expect(again.resolve("P.mom") == "/p/P.mom")
    #expect(again.resolve("../P.mom") == "/P.mom")
    #expect(again.resolve("/r/P.mom") == "/r/P.mom")
  }

  @Test("JSON is checked like a file")
  func checked() {
    let text = """
      {"format": 1, "pipeline": "P", "models": ["P.mom"], "entities": [], "stages": [
        {"stage": "detect", "line": 4}, {"stage": "open", "options": {"wiat": "1 s"}, "line": 5},
        {"options": {}}, {"stage": "copy", "rules": [{"rule": "dorp"}]}]}
      """
    #expect(
      PipelineText(text).mistakes() == [
        #"0: stages[2] has no name: "stage" is missing"#, "0: 'dorp' has no place in stage 'copy'",
        "5: stage 'open' has no option 'wiat'; did you mean 'wait'?",
      ])
  }

  @Test("broken JSON and params for settled JSON are reported")
  func broken() throws {
    #expect(
      PipelineText("{\n  \"format\": 1,\n  oops\n}").mistakes() == [
        "3: column 3: not a name in quotes"
      ])
    let pipeline = try PipelineText(PipelineText.header + PipelineText.stages).pipeline()
    #expect(
      PipelineText(pipeline.json).mistakes(PipelineSettings(parameters: ["a": "1"])) == [
        "0: --set a: params of an evaluated pipeline are settled"
      ])
  }
}
