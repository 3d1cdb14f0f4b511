import Foundation

@testable import Benchmarks

/// Counts the steps of a command, as `steps.c` says what one is.
struct StepCounter {
  private let library: URL
  private let folder: URL

  /// Whether steps can be counted: on Linux, where a compiler is there; sanitizers want to be
  /// loaded before all others.
  static let isThere: Bool = {
    // A library can be loaded before all others by LD_PRELOAD, where there is a /proc.
    guard FileManager.default.fileExists(atPath: "/proc/self/maps") else { return false }
    let environment = ProcessInfo.processInfo.environment
    let isSanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains { environment[$0] != nil }
    return !isSanitized && Meter.succeeds(["clang", "--version"])
  }()

  /// Compiles the library into a folder.
  init(in folder: URL) throws {
    self.folder = folder
    library = folder.appending(path: "steps.so")
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "steps.c")
    let command = ["clang", "-O2", "-shared", "-fPIC", "-o", library.path, source.path]
    let (_, complaints) = try Meter.output(of: command)
    guard FileManager.default.fileExists(atPath: library.path) else {
      throw BenchError("the counter could not be compiled: \(complaints)")
    }
  }

  /// Runs a command to its end; the same each time.
  ///
  /// - Throws: ``BenchError`` when the command was not loaded with the library.
  func steps(of command: [String]) throws -> Int {
    let file = folder.appending(path: "steps")
    try? FileManager.default.removeItem(at: file)
    let variables = [
      "LD_PRELOAD=\(library.path)", "STEPS=\(file.path)", "SWIFT_DETERMINISTIC_HASHING=1",
    ]
    let (_, complaints) = try Meter.output(of: variables + command)
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard let steps = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), steps > 0 else {
      throw BenchError("the steps were not counted: \(complaints.suffix(300))")
    }
    return steps
  }
}
