internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import SQLite

/// Other processes that have a store open.
package enum StoreUsers {
  /// Waits until no other process has the store's file open, where the system reports it.
  ///
  /// In rollback mode "a connection at rest holds no lock" (File Locking And Concurrency,
  /// UNLOCKED), and would continue with what it remembers of the old store.
  ///
  /// - Throws: ``Failure`` of kind `busy` when another process has it for longer than `wait`.
  package static func waitForEnd(_ folder: WorkFolder, wait: Duration) throws {
    try replacing(what, folder.store) { _ = try openAlone(folder, wait) }
  }

  /// Opens the store's file, which nothing else has open then, where the system reports it.
  ///
  /// The file is closed between two looks, and for a time that no other process keeps: two that
  /// wait here would else see each other until both give up.
  static func openAlone(_ folder: WorkFolder, _ wait: Duration) throws -> OpenDescriptor {
    // Another process may look at the file for a moment only.
    let deadline = Deadline(in: max(wait, .milliseconds(100)))
    while true {
      let main = try OpenDescriptor(reading: folder.store)
      if !main.isOpenElsewhere() { return main }
      guard !deadline.isOver else { throw busy(folder) }
      _ = consume main
      Pause.uneven()
    }
  }

  private static let what = "cannot replace the store"

  /// The error that names them, as far as they are known.
  static func busy(_ folder: WorkFolder) -> Failure {
    Failure(
      .busy, what: what, subject: folder.store,
      why: "Another process has it open, an application or an extension. Nothing was changed."
        + FileHolders.sentence(folder.store),
      remedy: "Quit whatever uses the store, and give the same command again.")
  }
}

/// The processes that have a file open, as far as this user may know: for messages.
enum FileHolders {
  /// Their numbers and names, "4711 (Notes)"; none where the system does not report them.
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
