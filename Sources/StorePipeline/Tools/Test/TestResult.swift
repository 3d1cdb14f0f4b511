/// What came of one test.
public struct TestResult: Sendable, Hashable {
  /// The file it is written in.
  public let file: String
  /// The line it stands on.
  public let line: Int
  /// What it calls itself.
  public let name: String
  /// What kind of test it is: "case", "property" or "migration".
  public let kind: String
  /// What is wrong, line by line; empty when it passed.
  public let failure: [String]
  /// How long it took.
  public let seconds: Double

  /// A result in all its parts.
  package init(
    file: String, line: Int, name: String, kind: String, failure: [String], seconds: Double
  ) {
    (self.file, self.line, self.name) = (file, line, name)
    (self.kind, self.failure, self.seconds) = (kind, failure, seconds)
  }

  /// Whether everything was as it is expected.
  public var passed: Bool { failure.isEmpty }
}

/// What came of all tests.
public struct TestSummary: Sendable {
  /// The tests that ran, file by file.
  public let results: [TestResult]
  /// What is wrong with files that do not load.
  public let problems: [Problem]

  /// A summary of these.
  package init(results: [TestResult], problems: [Problem]) {
    self.results = results
    self.problems = problems
  }

  /// How many tests passed.
  public var passed: Int { results.count(where: \.passed) }
  /// How many tests failed.
  public var failed: Int { results.count - passed }

  /// The last line of every report for people.
  public var closingLine: String { "\(passed) passed, \(failed) failed" }

  /// The status with which a program ends: 2 when a file does not load, 1 when a test fails.
  public var status: Int32 { problems.isEmpty ? failed > 0 ? 1 : 0 : RunStatus.of(problems) }
}
