import StorePipeline
import Testing

@Suite("Params of a pipeline file")
struct ParameterTests {
  static let file = PipelineText(
    """
    param "rows" { default = 100, help = "Rows in a chunk." }
    param "strict" { default = false }
    param "target" { default = "V2" }
    pipeline "P" { format = 1, models = "P.mom", target = param.target }
    stage "detect" {} stage "open" {}
    stage "copy" { chunk = param.rows }
    stage "validate" { strict = param.strict }
    """)

  private static func values(_ settings: PipelineSettings) throws -> [OptionValue] {
    try file.pipeline(settings).parameters.map(\.value)
  }

  @Test("a param has its default, the environment goes before it, and --set before that")
  func order() throws {
    #expect(
      try Self.values(PipelineSettings()) == [.integer(100), .boolean(false), .text("V2")])
    let environment = ["PIPELINE_PARAM_ROWS": "7", "PIPELINE_PARAM_TARGET": "V3"]
    #expect(
      try Self.values(PipelineSettings(environment: environment)) == [
        .integer(7), .boolean(false), .text("V3"),
      ])
    let both = PipelineSettings(
      parameters: ["rows": "8", "strict": "true"], environment: environment)
    #expect(try Self.values(both) == [.integer(8), .boolean(true), .text("V3")])
    #expect(try Self.file.pipeline(both).stages[2].stage["chunk"]?["rows"]?.integer == 8)
  }

  @Test("a value of the wrong type and a name that is no param are reported")
  func wrongSettings() {
    let settings = PipelineSettings(
      parameters: ["strict": "maybe", "row": "5", "zzz": "1"],
      environment: ["PIPELINE_PARAM_ROWS": "many"])
    #expect(
      Self.file.mistakes(settings) == [
        "0: --set row: the file has no such param; did you mean 'rows'?",
        "0: --set zzz: the file has no such param; it has 'rows', 'strict', 'target'",
        #"1: param 'rows' must be a whole number, and PIPELINE_PARAM_ROWS is "many""#,
        #"2: param 'strict' must be true or false, and --set strict is "maybe""#,
      ])
  }

  @Test("a param without a default must be set")
  func required() throws {
    let file = PipelineText(
      #"param "store" {}"# + "\n"
        + #"pipeline "P" { format = 1, models = "P.mom", store = param.store }"#
        + PipelineText.stages)
    #expect(
      file.mistakes() == ["1: param 'store' has no default: set it with --set store=VALUE"])
    #expect(
      try file.pipeline(PipelineSettings(parameters: ["store": "S.sqlite"])).stores == ["S.sqlite"])
  }

  @Test("an unknown param, a second one, a write and a wrong default are reported")
  func mistakes() {
    let text = """
      param "rows" { default = 100 }
      param "rows" { default = 200 }
      param "list" { default = { 1 }, hlep = "x" }
      param.rows = 7
      param "a-b" { default = 1 }
      pipeline "P" { format = 1, models = "P.mom", target = param.row }

      """
    #expect(
      PipelineText(text + PipelineText.stages).mistakes() == [
        "2: a second param 'rows'",
        "3: param 'list' has no option 'hlep'; did you mean 'help'?",
        "3: option 'default' must be a boolean, a number or a string, not a list",
        #"4: 'param.rows' cannot be written; write param "rows" { default = ... }"#,
        "5: param 'a-b' needs a name of letters, digits and underscores",
        "6: unknown param 'row'; did you mean 'rows'?",
      ])
  }
}
