internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import ProcessHost
public import StorePipeline

/// Starts programs on Linux and macOS, watches them and stops those that take too long.
///
/// No shell is involved. A program reads nothing, and what it prints is reported line by line.
public struct SystemPrograms: ProgramStarter {
  /// How long a program may take to end once it is asked to.
  private static let grace = Duration.seconds(2)
  /// What is reported of a program's output; the rest is read and thrown away.
  private static let mostOutput = 64 << 10

  /// What starts programs; nothing is started yet.
  public init() {}

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - call: The program and what it is given.
  ///   - stops: Whether it is to stop.
  ///   - report: Is given what it prints, line by line.
  /// - Throws: `Failure` when it cannot be started, ends with a status other than 0 or takes
  ///   too long, `CancellationError` when it was stopped.
  public func run(
    _ call: ProgramCall, stops: () -> Bool, report: (String) -> Void
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: call.program)
    process.arguments = call.arguments
    process.environment = call.environment
    process.currentDirectoryURL = URL(filePath: call.folder)
    process.standardInput = FileHandle.nullDevice
    var output = ProgramOutput(most: Self.mostOutput)
    (process.standardOutput, process.standardError) = (output.pipe, output.pipe)
    let ending = Ending(process)
    do {
      try process.run()
    } catch {
      throw call.failure("It could not be started: \(error.localizedDescription)")
    }
    let end = wait(call.time, for: ending, &output, stops, report)
    output.drain(within: .milliseconds(200))
    for line in output.lines(all: true) { report(line) }
    switch end {
    case .stopped: throw CancellationError()
    case .late: throw call.failure("It took longer than \(call.timeText).")
    case .ended(.status(0)): return
    case .ended(.status(let status)): throw call.failure("It ended with status \(status).")
    case .ended(.signal(let signal)): throw call.failure("It was ended by signal \(signal).")
    }
  }

  private enum End {
    case ended(ChildProcess.End)
    case late, stopped
  }

  private func wait(
    _ time: Duration, for ending: Ending, _ output: inout ProgramOutput, _ stops: () -> Bool,
    _ report: (String) -> Void
  ) -> End {
    let deadline = Deadline(in: time)
    while true {
      if let end = ending.end { return .ended(end) }
      output.read(waiting: 20)
      for line in output.lines(all: false) { report(line) }
      let isLate = deadline.isOver
      guard isLate || stops() else { continue }
      stop(ending)
      return isLate ? .late : .stopped
    }
  }

  private func stop(_ ending: Ending) {
    ending.send(SIGTERM)
    let last = Deadline(in: Self.grace)
    while ending.end == nil, !last.isOver { Thread.sleep(forTimeInterval: 0.02) }
    // What it has started, and no process would read any more, ends as well.
    ending.send(SIGKILL)
  }
}

/// Whether a program has ended.
///
/// The system is asked: on Linux Foundation reports it only when everything has ended that the
/// program has started, too.
private struct Ending {
  private let process: Process
  private let isTold = DispatchSemaphore(value: 0)

  /// For a program that is not started yet.
  init(_ process: Process) {
    self.process = process
    process.terminationHandler = { [isTold] _ in isTold.signal() }
  }

  /// How it has ended; nil while it runs.
  var end: ChildProcess.End? {
    if let end = ChildProcess(process.processIdentifier).end { return end }
    guard isTold.wait(timeout: .now()) == .success else { return nil }
    isTold.signal()
    let isSignal = process.terminationReason == .uncaughtSignal
    return isSignal ? .signal(process.terminationStatus) : .status(process.terminationStatus)
  }

  /// Sends a signal to it and to what it has started.
  func send(_ signal: Int32) { ChildProcess(process.processIdentifier).send(signal) }
}

/// What a program prints, read as it comes.
///
/// Nothing else watches the pipe: a handler of Foundation's may still be at work when its
/// descriptor is closed and belongs to another file.
private struct ProgramOutput {
  let pipe = Pipe()
  private let most: Int
  private var bytes: [UInt8] = []
  private var taken = 0
  private var isOver = false

  init(most: Int) { self.most = most }

  /// Takes what comes within a time; at once when something is there.
  mutating func read(waiting milliseconds: Int32) {
    guard !isOver else {
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
      return
    }
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    guard let data = Streams.read(descriptor, waiting: milliseconds) else { return }
    isOver = data.isEmpty
    let room = max(0, most - taken)
    bytes += data.prefix(room)
    taken += min(room, data.count)
  }

  /// Takes what is still on its way: a process that the program has left behind may hold its
  /// output open for ever.
  mutating func drain(within time: Duration) {
    let end = Deadline(in: time)
    while !isOver, !end.isOver { read(waiting: 10) }
  }

  /// The lines that have come whole; with `all`, what comes after the last line end, too.
  mutating func lines(all: Bool) -> [String] {
    let end = all ? bytes.endIndex : bytes.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    defer { bytes.removeFirst(end) }
    return String(decoding: bytes[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { String($0) }
  }
}

/// A process that this one has started.
private struct ChildProcess: Sendable {
  /// How a process ends.
  enum End: Hashable, Sendable {
    /// By itself.
    case status(Int32)
    /// By a signal.
    case signal(Int32)
  }

  private let number: Int32

  init(_ number: Int32) { self.number = number }

  /// How it has ended, which others can still ask after; nil while it runs, or when it was asked
  /// for to the last.
  var end: End? {
    var value: Int32 = 0
    switch unsafe ph_end_of(number, &value) {
    case PH_EXITED: return .status(value)
    case PH_KILLED: return .signal(value)
    default: return nil
    }
  }

  /// Sends it a signal and, where it leads a group of its own, those that it has started.
  func send(_ signal: Int32) { ph_signal(number, signal) }
}
