internal import Foundation
internal import SQLite

/// The processes that have a file open, as far as this user may know: for messages.
enum FileHolders {
  /// Their numbers and names, "4711 (Notes)"; none where the system does not tell.
  ///
  /// "/proc/pid/fd is a subdirectory containing one entry for each file which the process has open,
  /// named by its file descriptor, and which is a symbolic link to the actual file" (proc(5)).
  static func of(_ path: String) -> [String] {
    let own = "\(ProcessInfo.processInfo.processIdentifier)"
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.filter { Int($0) != nil && $0 != own && has(path, process: $0) }.sorted()
      .prefix(most).map { process in
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return "\(process) (\((name ?? "").split(separator: "\n").first ?? "?"))"
      }
  }

  /// The sentence that names them; nothing when none is known.
  static func sentence(_ path: String) -> String {
    let holders = of(path)
    return holders.isEmpty ? "" : " Open in process \(holders.joined(separator: ", "))."
  }

  private static let most = 5

  private static func has(_ path: String, process: String) -> Bool {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target == path
    }
  }
}
