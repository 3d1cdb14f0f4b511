import Foundation

/// Runs commands by the program `meter`, which says what each took.
struct Meter {
  private let program: URL

  /// The program among others that were built.
  init(in programs: URL) { program = programs.appending(path: "Meter") }

  /// Runs a command to its end, and watches a folder and the command's memory if that is wanted.
  ///
  /// Watching takes time of its own: such a run is not for comparing times.
  ///
  /// - Throws: ``BenchError`` with what the command complained of when its status is not 0.
  func measure(_ command: [String], watching folder: URL? = nil) throws -> Measurement {
    let options = folder.map { ["--watch", $0.path] } ?? []
    let (lines, complaints) = try Self.output(of: [program.path] + options + command)
    guard let (status, measurement) = Measurement.reading(lines) else {
      throw BenchError("the meter failed: \(complaints)")
    }
    guard status == 0 else {
      let last = complaints.split(separator: "\n").suffix(3).joined(separator: " / ")
      throw BenchError("status \(status): \(last)")
    }
    return measurement
  }

  /// What a command prints, and what it complains of.
  static func output(of command: [String]) throws -> (lines: String, complaints: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    // A file takes any length; of two pipes one would fill while the other is read.
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = lines
    process.standardError = try FileHandle(forWritingTo: file)
    try process.run()
    let output = lines.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let complaints = try Data(contentsOf: file)
    return (String(decoding: output, as: UTF8.self), String(decoding: complaints, as: UTF8.self))
  }

  /// Whether a command can be run and ends with 0.
  static func succeeds(_ command: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }
}
