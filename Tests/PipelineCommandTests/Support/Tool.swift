import Foundation
import TestSupport

/// A program of the system, or the one under test, run as a shell would.
struct Tool {
  /// How a program ended and what it wrote.
  struct Outcome: Equatable {
    var output: String
    var errors: String
    var status: Int32
  }

  /// Where the built binaries are.
  static var binaries: URL { BuiltPrograms.folder }

  /// Whether a program is installed.
  static func isThere(_ name: String) -> Bool {
    let folders = ["/bin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  /// Whether a line of shell ends well.
  static func says(_ line: String) -> Bool {
    (try? shell(line, in: FileManager.default.temporaryDirectory).status) == 0
  }

  /// What tells a sanitizer how to behave must reach the program under test as well.
  private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }

  /// Whether a sanitizer was built in.
  static var isSanitized: Bool { !sanitizerOptions.isEmpty }

  /// Runs a line of shell in a folder, with the built binaries first in the path.
  static func shell(
    _ line: String, with shell: String = "sh", in folder: URL = TemporaryFolder.url,
    setting variables: [String: String] = [:]
  ) throws -> Outcome {
    let scratch = folder.appendingPathExtension("streams-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [shell, "-c", line]
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": "\(binaries.path):/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
      "HOME": folder.path, "LC_ALL": "C",
    ].merging(sanitizerOptions) { own, _ in own }.merging(variables) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a pipe that nobody reads meanwhile would stop a program that says much.
    let (output, errors) = (scratch.appending(path: "output"), scratch.appending(path: "errors"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
      status: process.terminationStatus)
  }
}
