import Foundation

/// A path with `*` and `?` in the names of its parts, as shells have them.
struct PathPattern {
  private let path: String

  /// A pattern; nil for a path without one, which names a single file.
  init?(_ path: String) {
    guard path.contains(where: Self.isSign) else { return nil }
    self.path = path
  }

  /// The stores that fit it, in the order of their names: regular files, without what SQLite keeps
  /// next to a store.
  var stores: [String] {
    let parts = path.split(separator: "/").map(String.init)
    let found = parts.reduce([path.hasPrefix("/") ? "/" : ""]) { folders, part in
      folders.flatMap { Self.members(of: $0, like: part) }
    }
    return found.filter(Self.isStore)
  }

  private static func isSign(_ letter: Character) -> Bool { letter == "*" || letter == "?" }

  private static func members(of folder: String, like part: String) -> [String] {
    let start = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    guard part.contains(where: isSign) else { return [start + part] }
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: start.isEmpty ? "." : start)) ?? []
    // A name that begins with a point is hidden from patterns (POSIX, 2.13.3).
    return names.filter { $0.hasPrefix(".") == part.hasPrefix(".") && matches(part[...], $0[...]) }
      .sorted().map { start + $0 }
  }

  private static func isStore(_ path: String) -> Bool {
    let values = try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory == false else { return false }
    return !["-wal", "-shm", "-journal"].contains { path.hasSuffix($0) }
  }

  /// Whether a name fits a pattern of letters, `?` and `*`.
  static func matches(_ pattern: Substring, _ name: Substring) -> Bool {
    var (rest, left) = (pattern, name)
    var retry: (pattern: Substring, name: Substring)?
    while true {
      if rest.first == "*" {
        rest = rest.dropFirst()
        retry = (rest, left)
      } else if let letter = rest.first, let other = left.first, letter == "?" || letter == other {
        (rest, left) = (rest.dropFirst(), left.dropFirst())
      } else if rest.isEmpty, left.isEmpty {
        return true
      } else if let last = retry, !last.name.isEmpty {
        // The last star takes one letter more.
        retry = (last.pattern, last.name.dropFirst())
        (rest, left) = (last.pattern, last.name.dropFirst())
      } else {
        return false
      }
    }
  }
}
