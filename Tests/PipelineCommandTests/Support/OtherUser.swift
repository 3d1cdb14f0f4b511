import Foundation
import TestSupport

/// A user who may write less than the tests' own: for root nothing is read-only.
enum OtherUser {
  /// Runs a line of shell as that user; as the tests' own where that is not root.
  static func shell(_ line: String) throws -> Tool.Outcome {
    guard isRoot else { return try Tool.shell(line) }
    return try Tool.shell(
      "PATH=\"$PROGRAMS:$PATH\"; exec setpriv \(words) sh -c \"$LINE\"",
      setting: ["LINE": line, "PROGRAMS": programs.path])
  }

  /// Whether there is one, and the command can be run by it.
  static let isThere = !isRoot || canRun(in: programs)

  /// What a `.enabled(if:)` says.
  static let need = "root needs setpriv, and another user who can read the Swift libraries"

  private static var isRoot: Bool { geteuid() == 0 }

  /// Nobody: 65534 on Linux.
  private static let words = "--reuid=65534 --regid=65534 --clear-groups"

  /// Where that user finds the command: where it was built, or a copy when that is closed to
  /// others, as all is below a container's /root.
  private static let programs = canRun(in: Tool.binaries) ? Tool.binaries : copy

  /// A program that setpriv itself starts is still found with root's eyes, hence the shell.
  private static func canRun(in folder: URL) -> Bool {
    Tool.says("exec setpriv \(words) sh -c '\"\(folder.path)/pipeline\" --version'")
  }

  /// A copy of the command that goes with this process.
  private static let copy: URL = {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(
      path: "pipeline-programs-\(UUID().uuidString)")
    try? manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try? manager.copyItem(
      at: Tool.binaries.appending(path: "pipeline"), to: folder.appending(path: "pipeline"))
    atexit { try? FileManager.default.removeItem(at: OtherUser.copy) }
    return folder
  }()
}
