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
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitForEnd()
    guard process.terminationStatus == 0 else { throw TortureError("\(program) failed") }
    return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension Process {
  /// Waits for the end of a process that is about to end.
  ///
  /// On Linux `waitUntilExit` alone takes 50 ms whenever it comes before the end.
  func waitForEnd() {
    while isRunning { Thread.sleep(forTimeInterval: 0.0005) }
    waitUntilExit()
  }
}
