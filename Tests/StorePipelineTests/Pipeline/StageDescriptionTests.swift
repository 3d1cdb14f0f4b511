import StorePipeline
import Testing

/// What must be true of every stage there will ever be.
@Suite("Stage descriptions")
struct StageDescriptionTests {
  static let stages = StageRegistry.standard.descriptions

  @Test(
    "the example of a stage is a pipeline's, checked without a mistake",
    arguments: stages.map(\.name))
  func example(name: String) throws {
    let stage = try #require(StageRegistry.standard[name])
    let pipeline = try PipelineText(Self.pipeline(around: stage)).pipeline()
    #expect(pipeline.stages.contains { $0.stage.name == stage.name })
  }

  @Test(
    "texts are sentences, and names are small letters and underscores",
    arguments: stages.map(\.name))
  func texts(name: String) throws {
    let stage = try #require(StageRegistry.standard[name])
    let options = stage.options + stage.rules.flatMap(\.options)
    let texts = [stage.summary, stage.details] + stage.rules.map(\.summary) + options.map(\.help)
    #expect(texts.allSatisfy { $0.hasSuffix(".") && !$0.contains("  ") })
    let names = [stage.name] + stage.rules.map(\.name) + options.map(\.name)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z][a-z_]*/) != nil })
    #expect(stage.rules.allSatisfy { $0.options.count(where: \.isUnnamed) <= 1 })
  }

  @Test("a default is a value that the option itself would take", arguments: stages.map(\.name))
  func defaults(name: String) throws {
    let stage = try #require(StageRegistry.standard[name])
    let written = stage.options.compactMap { option in
      option.default.map { "\(option.name) = \($0)" }
    }
    let required = stage.options.filter(\.isRequired).map { option in
      "\(option.name) = \"x\""
    }
    let call = "stage \"\(stage.name)\" { \((written + required).joined(separator: ", ")) }"
    let pipeline = try PipelineText(Self.pipeline(around: stage, as: call)).pipeline()
    let found = try #require(pipeline.stages.first { $0.stage.name == stage.name }?.stage)
    for option in stage.options where option.default != nil {
      #expect(found[option.name] == option.default)
    }
  }

  /// A pipeline with a stage and those that must stand above it.
  static func pipeline(around stage: StageDescription, as text: String? = nil) -> String {
    var missing = stage.consumes
    var above: [String] = []
    for other in stages.reversed() where other.name != stage.name {
      guard ["detect", "open", "copy"].contains(other.name),
        !missing.isDisjoint(with: other.produces)
      else { continue }
      missing.formUnion(other.consumes)
      above.insert("stage \"\(other.name)\" {}", at: 0)
    }
    // A pipeline in which nothing brings objects is a mistake.
    let needsCopy = !stage.consumes.union(stage.produces).contains(.objects)
    let below = needsCopy ? "\nstage \"copy\" {}" : ""
    return PipelineText.header + above.joined(separator: "\n") + "\n" + (text ?? stage.example)
      + below
  }
}
