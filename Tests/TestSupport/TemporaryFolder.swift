public import Foundation
public import Testing

/// Gives each test a folder of its own, gone afterwards.
public struct TemporaryFolder: TestTrait, SuiteTrait, TestScoping {
  /// The folder of the test that is running.
  @TaskLocal public static var url = FileManager.default.temporaryDirectory

  /// Each test of a suite gets its own folder, not the suite one together.
  public var isRecursive: Bool { true }

  /// Makes the folder, runs the test, removes the folder.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await body() }
    let url = FileManager.default.temporaryDirectory
      .appending(path: "pipeline-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try await Self.$url.withValue(url) { try await body() }
  }
}

extension Trait where Self == TemporaryFolder {
  /// A folder for this test alone: `TemporaryFolder.url`.
  public static var temporaryFolder: Self { TemporaryFolder() }
}

/// The path of a file in the running test's folder.
public func samplePath(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }
