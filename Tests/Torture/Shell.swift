import Foundation

/// Programs of the system that make and mount disks.
enum Shell {
  /// Runs a program; gives back what it says.
  ///
  /// - Throws: ``TortureError`` when it fails.
  @discardableResult
  static func call(_ program: String, _ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + words
    process.standardError = FileHandle.nullDevice
    let pipe = try process.start { process in
      let pipe = Pipe()
      process.standardOutput = pipe
      return pipe
    }
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitForEnd()
    guard process.terminationStatus == 0 else { throw TortureError("\(program) failed") }
    return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension Process {
  // Another process that is started meanwhile would inherit ends of pipes that are closed a moment
  // later, and who reads from the others would wait for its end, too.
  private static let starting = NSLock()

  /// Starts it with pipes that are made for it, while no other is being started.
  func start<Pipes>(_ connect: (Process) -> Pipes) throws -> Pipes {
    Process.starting.lock()
    defer { Process.starting.unlock() }
    let pipes = connect(self)
    try run()
    return pipes
  }

  /// Waits for the end of a process that is about to end.
  ///
  /// On Linux `waitUntilExit` alone takes 50 ms whenever it comes before the end.
  func waitForEnd() {
    while isRunning { Thread.sleep(forTimeInterval: 0.0005) }
    waitUntilExit()
  }
}
