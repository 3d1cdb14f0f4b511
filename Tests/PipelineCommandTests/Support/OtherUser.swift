import Foundation
import TestSupport

/// A user who may write less than the tests' own: for root nothing is read-only.
enum OtherUser {
  /// Runs a line of shell as that user; as the tests' own where that is not root.
  static func shell(_ line: String) throws -> Tool.Outcome {
    guard isRoot else { return try Tool.shell(line) }
    return try Tool.shell("exec setpriv \(words) sh -c \"$LINE\"", setting: ["LINE": line])
  }

  /// Whether there is one, and the built binaries can be read by it.
  static var isThere: Bool {
    guard isRoot else { return true }
    let folder = FileManager.default.temporaryDirectory
    let outcome = try? Tool.shell("setpriv \(words) pipeline --version", in: folder)
    return outcome?.status == 0
  }

  /// What a `.enabled(if:)` says.
  static let need = "root needs setpriv, and another user who may read the built binaries"

  private static var isRoot: Bool { geteuid() == 0 }

  /// Nobody: 65534 on Linux.
  private static let words = "--reuid=65534 --regid=65534 --clear-groups"
}
