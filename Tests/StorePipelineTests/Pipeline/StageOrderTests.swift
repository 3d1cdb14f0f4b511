import StorePipeline
import Testing

@Suite("Order of stages")
struct StageOrderTests {
  @Test(
    "for a stage in the wrong place an error says what it needs, or where it may stand",
    arguments: [
      (
        ["detect", "validate", "open", "copy"],
        [
          "3: stage 'validate' needs the objects of the new store: put 'copy' (line 5) above it"
        ]
      ),
      (
        ["open", "detect", "copy"],
        [
          "2: stage 'open' needs the version of the store: put 'detect' (line 3) above it"
        ]
      ),
      (
        ["detect", "open", "hook"],
        [
          """
          1: no stage brings the objects to the new store: write stage "copy" {}, which copies all \
          that no script makes
          """
        ]
      ),
      (
        ["detect", "open", "validate", "swap"],
        [
          """
          4: stage 'validate' needs the objects of the new store: \
          put 'copy' or 'transform' above it
          """
        ]
      ),
      (
        ["detect", "open", "copy", "swap", "verify", "hook"],
        [
          """
          5: stage 'swap' stands too early: put it below 'verify' (line 6); only 'report' or \
          'hook' may stand below it
          """
        ]
      ),
      (
        ["swap", "detect", "open", "copy", "connect", "validate", "verify"],
        [
          """
          2: stage 'swap' stands too early: put it below 'verify' (line 8); only 'report' or \
          'hook' may stand below it
          """
        ]
      ),
      (
        ["detect", "open", "copy", "connect", "transform", "swap"],
        [
          """
          6: stage 'transform' stands below 'connect' (line 5), which links the objects when all \
          are there; put it above
          """
        ]
      ),
      (
        ["detect", "open", "transform", "connect", "copy", "swap"],
        [
          """
          6: stage 'copy' stands below 'connect' (line 5), which links the objects when all are \
          there; put it above
          """
        ]
      ),
      (
        ["detect", "open", "copy", "validate", "transform", "connect", "swap"],
        [
          """
          6: stage 'transform' stands below 'validate' (line 5), which needs all objects of the \
          new store; put it above
          """,
          """
          7: stage 'connect' stands below 'validate' (line 5), which needs all links of the new \
          store; put it above
          """,
        ]
      ),
      (
        ["detect", "open", "copy", "copy", "swap", "swap"],
        [
          "5: a second stage 'copy'; the first is on line 4",
          "7: a second stage 'swap'; the first is on line 6",
        ]
      ),
    ])
  func order(names: [String], mistakes: [String]) {
    let options = [
      "hook": #"command = "x""#, "transform": #"entity = "Item", script = "item.lua""#,
    ]
    let stages = names.map { #"stage "\#($0)" { \#(options[$0] ?? "") }"# }
    let text = PipelineText.header + stages.joined(separator: "\n")
    #expect(PipelineText(text).mistakes() == mistakes)
  }

  @Test("in a step, too, all objects are made before they are linked; each step is by itself")
  func connected() {
    let text = """
      pipeline "P" { format = 1, models = "P.mom", target = "3" }
      step "2" { stage "copy" {}, stage "connect" {} }
      step "3" {
        stage "connect" {},
        stage "copy" {},
      }
      stage "swap" {}
      """
    #expect(
      PipelineText(text).mistakes() == [
        "4: stage 'connect' needs the objects of the new store: put 'copy' (line 5) above it"
      ])
  }

  @Test("what finds the version and opens the stores is put in where the file leaves it out")
  func defaults() throws {
    let names = { (text: String) in
      try PipelineText(PipelineText.header + text).pipeline().stages.map { $0.stage.name }
    }
    #expect(try names(#"stage "copy" {} stage "swap" {}"#) == ["detect", "open", "copy", "swap"])
    #expect(
      try names(#"stage "hook" { command = "x" } stage "detect" {} stage "copy" {}"#)
        == ["hook", "detect", "open", "copy"])
    #expect(
      try names(#"stage "open" {} stage "copy" {}"#) == ["detect", "open", "copy"])
    #expect(
      try names(#"step "2" { stage "copy" {} } stage "swap" {}"#)
        == ["detect", "open", "copy", "swap"])
  }

  @Test("steps follow each other, make objects, have names of their own and end at the target")
  func steps() {
    let text = """
      pipeline "P" { format = 1, models = "P.mom", target = "4" }
      stage "detect" {}
      stage "open" {}
      step "2" { stage "copy" {}, stage "validate" {} }
      stage "metadata" {}
      step "2" { stage "connect" {} }
      stage "copy" {}
      step "3" { stage "copy" {}, stage "copy" {} }
      stage "swap" {}
      """
    #expect(
      PipelineText(text).mistakes() == [
        """
        4: stage 'validate' has no place in a step: put it below the last step; only 'copy' or \
        'transform' or 'connect' or 'redact' or 'dedupe' have
        """,
        "5: nothing may stand between two steps; put it above or below",
        "6: a second step '2'; the first is on line 4",
        """
        6: stage 'connect' needs the objects of the new store: put 'copy' or 'transform' above it
        """,
        "7: nothing may stand between two steps; put it above or below",
        "7: stage 'copy' stands outside of the steps; put it into one",
        "8: the last step makes '3', and the target is '4'",
        "8: a second stage 'copy'; the first is on line 8",
      ])
  }
}
