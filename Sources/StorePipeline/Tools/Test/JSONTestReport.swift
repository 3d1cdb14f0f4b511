internal import Formats

/// The results of tests as JSON.
package struct JSONTestReport {
  private let summary: TestSummary

  /// The results.
  package init(_ summary: TestSummary) { self.summary = summary }

  /// The document.
  package var text: String {
    JSONValue.object([
      .init("format", 1),
      .init("tests", .array(summary.results.map(test))),
      .init("passed", .integer(Int64(summary.passed))),
      .init("failed", .integer(Int64(summary.failed))),
      .init("skipped", .integer(Int64(summary.skipped))),
      .init(
        "problems",
        .array(
          summary.problems.map { problem in
            .object([
              .init("file", .string(problem.file)), .init("line", .integer(Int64(problem.line))),
              .init("message", .string(problem.message)),
            ])
          })),
    ]).text(.pretty)
  }

  private func test(_ result: TestResult) -> JSONValue {
    .object([
      .init("file", .string(result.file)), .init("line", .integer(Int64(result.line))),
      .init("name", .string(result.name)), .init("kind", .string(result.kind)),
      .init("passed", .bool(result.passed)),
      .init("skipped", result.skipped.map(JSONValue.string) ?? .null),
      .init("failure", .texts(result.failure)),
      .init("seconds", .real(result.seconds)),
    ])
  }
}
