import Foundation
import TestSupport
import Testing

/// The program under test, whose memory is watched.
enum MeasuredTool {
  /// What no store makes the program grow beyond.
  static let limit = 512 << 20

  /// A sanitizer keeps several bytes for each byte, and what was given back: nothing is measured
  /// under one.
  private static let isMeasured = ["ASAN_OPTIONS", "TSAN_OPTIONS"].allSatisfy {
    ProcessInfo.processInfo.environment[$0] == nil
  }

  /// Runs a line of shell, one command of the program, and expects that it stays within the limit.
  static func shell(_ line: String) throws -> Tool.Outcome {
    let peak = TemporaryFolder.url.appending(path: "peak")
    let outcome = try Tool.shell("Measure \(peak.lastPathComponent) \(line)")
    let text = try String(contentsOf: peak, encoding: .utf8)
    let bytes = try #require(Int(text))
    // A process of this size at least: a measure that measures nothing is no measure.
    #expect(bytes > 4 << 20, "\(line) is said to take \(bytes) bytes")
    if isMeasured { #expect(bytes <= limit, "\(line) took \(bytes) bytes") }
    return outcome
  }
}
