extension Rule {
  /// One thing, one file, and its test has the same name.
  static let nameHasItsTest = Rule(
    "every stage, command and report has a test file of its name",
    refused: [
      SourceFile("Sources/StorePipeline/Stages/CopyStage.swift", ""),
      SourceFile("Sources/pipeline/Commands/Inspect.swift", ""),
      SourceFile("Sources/StorePipeline/Report/JSONReport.swift", ""),
    ],
    allowed: [
      SourceFile("Sources/StorePipeline/Stages/SwapStage.swift", ""),
      SourceFile("Tests/StorePipelineTests/Stages/SwapStageTests.swift", ""),
      SourceFile("Sources/pipeline/Commands/ModelDiff.swift", ""),
      SourceFile("Tests/PipelineCommandTests/Transcripts/model-diff.md", ""),
      SourceFile("Sources/StorePipeline/Plan.swift", ""),
    ],
    check: { files in
      let tests = Set(files.filter { $0.isBelow(["Tests/"]) }.map { testName(of: $0.name) })
      return files.filter { $0.isSwift && $0.isBelow(kinds) }
        .filter { !tests.contains(testName(of: $0.name)) }
        .map { $0.offence(1, "has no test file \($0.name.dropLast(6))Tests.swift") }
    })

  private static let kinds = [
    "Sources/StorePipeline/Stages/", "Sources/StorePipeline/Report/", "Sources/pipeline/Commands/",
  ]

  /// What is left to compare: `modeldiff` of ModelDiff.swift, of ModelDiffTests.swift and of the
  /// transcript model-diff.md.
  private static func testName(of file: String) -> String {
    let stem = file.prefix { $0 != "." }
    let name = stem.hasSuffix("Tests") ? stem.dropLast(5) : stem
    return name.filter { $0 != "-" }.lowercased()
  }
}
