internal import OperatingSystem

/// A path with `*` and `?` in the names of its parts, as shells have them.
struct PathPattern {
  private let path: String

  /// A pattern; nil for a path without one, which names a single file.
  init?(_ path: String) {
    guard path.contains(where: Self.isSign) else { return nil }
    self.path = path
  }

  /// A folder that cannot be read: whether a store in it fits is unknown.
  struct Unreadable: Error {
    let folder: String
    let words: String
  }

  /// The stores that fit it, in the order of their names: files, without what SQLite keeps next to
  /// a store.
  ///
  /// One that cannot be looked at is among them: its run says why.
  func stores() throws(Unreadable) -> [String] {
    var found = [path.hasPrefix("/") ? "/" : ""]
    for part in path.split(separator: "/").map(String.init) {
      var next: [String] = []
      for folder in found { next += try Self.members(of: folder, like: part) }
      found = next
    }
    return found.filter(Self.isStore)
  }

  private static func isSign(_ letter: Character) -> Bool { letter == "*" || letter == "?" }

  private static func members(
    of folder: String, like part: String
  ) throws(Unreadable) -> [String] {
    let start = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    guard part.contains(where: isSign) else { return [start + part] }
    let names: [String]
    do throws(SystemError) {
      names = try FileSystem.names(in: start.isEmpty ? "." : start)
    } catch {
      // Where the pattern has a folder there may be a file.
      if error.isNoFile { return [] }
      throw Unreadable(folder: start.isEmpty ? "." : folder, words: error.words)
    }
    // A name that begins with a point is hidden from patterns (POSIX, 2.13.3).
    return names.filter { $0.hasPrefix(".") == part.hasPrefix(".") && matches(part[...], $0[...]) }
      .sorted().map { start + $0 }
  }

  private static func isStore(_ path: String) -> Bool {
    if ["-wal", "-shm", "-journal"].contains(where: { path.hasSuffix($0) }) { return false }
    do throws(SystemError) {
      guard let entry = try FileEntry.at(path) else {
        // Of a name that is not UTF-8 this character is left, and no path leads to the file.
        return path.unicodeScalars.contains("\u{FFFD}")
      }
      // A link to nothing fits: its run says what is missing.
      return !(FileSystem.entry(following: path) ?? entry).isFolder
    } catch {
      return true
    }
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
