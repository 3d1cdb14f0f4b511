internal import CoreDataStore
internal import Foundation
internal import Lua

/// Runs the tests that Lua files describe.
package struct ScriptTests: Sendable {
  private let files: [String]
  private let settings: TestSettings

  package init(_ files: [String], _ settings: TestSettings = TestSettings()) {
    self.files = files
    self.settings = settings
  }

  /// Runs them all, one after the other.
  ///
  /// - Parameter report: Is called with each test when it is done.
  /// - Returns: What came of them. Files that do not load are problems; the others run.
  /// - Throws: `CancellationError` when it is cancelled, ``Failure`` when the tests' stores are to
  ///   stay where something is.
  package func run(_ report: (TestResult) -> Void = { _ in }) async throws -> TestSummary {
    try settings.keep.map(TestBench.makeFolder)
    var results: [TestResult] = []
    var problems: [Problem] = []
    for path in files {
      do {
        let file = try TestFile(path: path)
        let bench = TestBench(file, settings)
        for test in file.tests {
          try Task.checkCancellation()
          let result = try await Self.run(test, bench)
          results.append(result)
          report(result)
        }
      } catch let error as PipelineFileError {
        problems += error.problems
      } catch let error as Failure
        where [.unusableModel, .refused].contains(error.kind)
      {
        problems.append(
          Problem(file: path, line: 0, message: "\(error)", isRefusal: error.kind == .refused))
      }
    }
    return TestSummary(results: results, problems: problems)
  }

  private static func run(
    _ test: TestDescription, _ bench: TestBench
  ) async throws -> TestResult {
    let start = ContinuousClock.now
    var (failure, skipped) = ([String](), String?.none)
    do {
      failure = try await bench.run(test)
    } catch let skip as TestResult.Skip {
      skipped = skip.reason
    }
    var result = TestResult(
      file: bench.file.path, line: test.line, name: test.name, kind: test.kind.rawValue,
      failure: failure, seconds: start.duration(to: .now).seconds)
    result.skipped = skipped
    return result
  }
}
