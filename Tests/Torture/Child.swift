import Foundation
import OperatingSystem

/// A run of the command in a process of its own.
struct Child: Sendable {
  /// How a process ended.
  struct End: Sendable {
    /// Whether a signal ended it.
    let isKilled: Bool
    /// Its exit status, or the signal's number.
    let status: Int32
    /// What it said, on both streams.
    let text: String
  }

  /// The command, next to this program.
  static let command = URL(filePath: FileSystem.resolved(CommandLine.arguments[0]))
    .deletingLastPathComponent().appending(path: "pipeline")

  /// The program that is started.
  var program = Child.command
  /// What it is given.
  let words: [String]
  /// The folder it is started in.
  let folder: URL
  /// What its counter is set to, and where that leaves its log.
  var fault: String?
  var log: URL?
  /// Whether it takes for granted that the disk has room.
  var countsOnSpace = false
  /// The name of its own folder for temporary files, next to the one it is started in.
  var temporary = "temporary"

  /// The file with the bytes that the log of a new store may always have, where that is not as
  /// many as usual.
  static let longestLog = "longest-log"

  /// Starts it and waits for its end.
  func run() throws -> End { try begin().end() }

  /// Starts it.
  func begin() throws -> StartedChild {
    let temporary = folder.deletingLastPathComponent().appending(path: temporary)
    try? FileManager.default.removeItem(at: temporary)
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = program
    process.arguments = words
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = temporary.path
    environment["PIPELINE_FAULTS"] = fault
    environment["PIPELINE_FAULTS_LOG"] = log?.path
    environment["PIPELINE_FAULTS_SPACE"] = countsOnSpace ? "plenty" : nil
    let longest = try? String(contentsOf: folder.appending(path: Self.longestLog), encoding: .utf8)
    environment["PIPELINE_FAULTS_LONGEST_LOG"] = longest
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let pipe = try process.start { process in
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      return pipe
    }
    return StartedChild(process: process, pipe: pipe)
  }

  /// The calls that a log lists.
  static func calls(in log: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: log.path) else { return [] }
    return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

/// A run of the command that is on its way.
struct StartedChild {
  fileprivate let process: Process
  fileprivate let pipe: Pipe

  /// Waits until it is stopped before a call, or has ended; false when it has ended.
  func isStopped(at point: Int, in log: URL) throws -> Bool {
    while process.isRunning {
      // The line of a call is written before the process stops.
      if try Child.calls(in: log).count >= point { return true }
      Thread.sleep(forTimeInterval: 0.002)
    }
    return false
  }

  /// Lets it go on from where it was stopped.
  func goOn() {
    // Again and again: one signal that comes before the process has stopped would be lost.
    while process.isRunning {
      kill(process.processIdentifier, SIGCONT)
      Thread.sleep(forTimeInterval: 0.005)
    }
  }

  /// Waits for its end.
  func end() throws -> Child.End {
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitForEnd()
    return Child.End(
      isKilled: process.terminationReason == .uncaughtSignal, status: process.terminationStatus,
      text: String(decoding: bytes, as: UTF8.self))
  }
}
