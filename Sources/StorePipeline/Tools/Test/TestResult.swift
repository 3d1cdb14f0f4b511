package struct TestResult: Sendable, Hashable {
  /// The file it is written in.
  package let file: String
  package let line: Int
  package let name: String
  /// What kind of test it is: "case", "property" or "migration".
  package let kind: String
  /// What is wrong, line by line; empty when it passed, or did not run.
  package let failure: [String]
  /// Why it did not run: its pipeline waits for decisions.
  package var skipped: String?
  package let seconds: Double

  package init(
    file: String, line: Int, name: String, kind: String, failure: [String], seconds: Double
  ) {
    (self.file, self.line, self.name) = (file, line, name)
    (self.kind, self.failure, self.seconds) = (kind, failure, seconds)
  }

  /// Whether everything was as it is expected.
  package var passed: Bool { failure.isEmpty && skipped == nil }

  /// Ends a test that cannot run yet, with the reason.
  struct Skip: Error {
    let reason: String
  }
}

/// What came of all tests.
package struct TestSummary: Sendable {
  /// The tests that ran, file by file.
  package let results: [TestResult]
  /// What is wrong with files that do not load.
  package let problems: [Problem]

  package init(results: [TestResult], problems: [Problem]) {
    self.results = results
    self.problems = problems
  }

  /// How many tests passed.
  package var passed: Int { results.count(where: \.passed) }
  /// How many tests failed.
  package var failed: Int { results.count - passed - skipped }
  /// How many tests did not run.
  package var skipped: Int { results.count { $0.skipped != nil } }

  /// The last line of every report for people.
  package var closingLine: String {
    "\(passed) passed, \(failed) failed" + (skipped > 0 ? ", \(skipped) skipped" : "")
  }

  /// The status with which a program ends: 2 when a file does not load, 1 when a test fails.
  package var status: Int32 { problems.isEmpty ? failed > 0 ? 1 : 0 : RunStatus.of(problems) }
}
