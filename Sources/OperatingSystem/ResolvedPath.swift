internal import Foundation

// Where a path leads. All of the project resolves links here.
extension FileSystem {
  /// The path with every symbolic link resolved as far as anything is there, from the root on.
  ///
  /// Two paths that this makes equal lead to the same place. Foundation's own function does not
  /// fit: on macOS it takes "/private" from the beginning of what it finds, so that its result is
  /// never the one of realpath below /tmp and /var.
  package static func resolved(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return resolved(path, links: 0) }
    if let real = try? realPath(path) { return real }
    return resolved("\(FileManager.default.currentDirectoryPath)/\(path)", links: 0)
  }

  /// What a path leads to, every link followed; nil where nothing is, or nothing can be looked at.
  ///
  /// Foundation looks up the names of owner and group for as little.
  package static func entry(following path: String) -> FileEntry? {
    (try? realPath(path)).flatMap { try? FileEntry.at($0) }
  }

  /// The links that are followed from one to the next: Linux follows 40 (path_resolution(7)).
  private static let mostLinks = 40

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = try? realPath(path) { return real }
    var parts = path.split(separator: "/")
    guard let name = parts.popLast() else { return "/" }
    let above = "/" + parts.joined(separator: "/")
    // A link that leads to nothing: what is written to it is made where it leads.
    if links < mostLinks,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    {
      return resolved(target.hasPrefix("/") ? target : "\(above)/\(target)", links: links + 1)
    }
    let folder = resolved(above, links: links)
    switch name {
    case ".": return folder
    case "..": return FileSystem.folder(of: folder)
    default: return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }
  }
}
