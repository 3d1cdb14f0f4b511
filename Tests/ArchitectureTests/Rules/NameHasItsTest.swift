extension Rule {
  /// One thing, one file, and its test has the same name.
  static let nameHasItsTest = Rule(
    "every stage, command and report has a test file of its name",
    refused: [
      SourceFile("Sources/StorePipeline/Stages/CopyStage.swift", ""),
      SourceFile("Sources/pipeline/Commands/InspectCommand.swift", ""),
      SourceFile("Sources/StorePipeline/Report/JSONReport.swift", ""),
    ],
    allowed: [
      SourceFile("Sources/StorePipeline/Stages/SwapStage.swift", ""),
      SourceFile("Tests/StorePipelineTests/Stages/SwapStageTests.swift", ""),
      SourceFile("Sources/pipeline/Commands/ModelDiffCommand.swift", ""),
      SourceFile("Tests/PipelineCommandTests/Transcripts/model-diff.md", ""),
      SourceFile("Sources/pipeline/Commands/CommandList.swift", ""),
    ],
    check: { files in
      let tests = Set(files.filter { $0.isBelow(["Tests/"]) }.map { testName(of: $0.name) })
      return files.filter { file in
        kinds.contains { file.isBelow([$0.folder]) && file.name.hasSuffix("\($0.kind).swift") }
      }.filter { !tests.contains(testName(of: $0.name)) }
        .map { $0.offence(1, "has no test file \($0.name.dropLast(6))Tests.swift") }
    })

  private static let kinds = [
    (folder: "Sources/StorePipeline/Stages/", kind: "Stage"),
    (folder: "Sources/StorePipeline/Report/", kind: "Report"),
    (folder: "Sources/pipeline/Commands/", kind: "Command"),
  ]

  /// What is left to compare: `modeldiff` of ModelDiffCommand.swift, of ModelDiffCommandTests.swift
  /// and of the transcript model-diff.md.
  private static func testName(of file: String) -> String {
    var name = file.prefix { $0 != "." }
    for ending in ["Tests", "Command"] where name.hasSuffix(ending) {
      name = name.dropLast(ending.count)
    }
    return name.filter { $0 != "-" }.lowercased()
  }
}
