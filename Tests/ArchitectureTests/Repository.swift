import Foundation

/// The project's own files.
enum Repository {
  /// The folder that holds Package.swift.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every text file, read once, but for Lua's and what builds and version control leave behind.
  static let files = Result { try textFiles() }

  /// The text of one file.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Whether there is such a file or folder.
  static func has(_ path: some StringProtocol) -> Bool {
    FileManager.default.fileExists(
      atPath: root.appending(path: String(path)).path(percentEncoded: false))
  }

  private static func textFiles() throws -> [SourceFile] {
    let manager = FileManager.default
    let names = try manager.contentsOfDirectory(atPath: root.path(percentEncoded: false))
    let paths = names.filter { !leftBehind.contains($0) }.flatMap { name in
      let below = try? manager.subpathsOfDirectory(
        atPath: root.appending(path: name).path(percentEncoded: false))
      return below.map { $0.map { "\(name)/\($0)" } } ?? [name]
    }
    return paths.filter { isOurs($0) }.sorted().compactMap { path in
      // A folder or a file that is not text is none of the rules' business.
      (try? text(of: path)).map { SourceFile(path, $0) }
    }
  }

  /// A sample that is a package of its own has a folder for its build, too.
  private static func isOurs(_ path: String) -> Bool {
    !path.hasPrefix(luaSource) && !path.split(separator: "/").contains(".build")
  }

  /// Where `make lua-source` puts the source of others, which keeps rules of its own.
  private static let luaSource = "Sources/C/CLuaSource/lua/"

  private static let leftBehind: Set = [".build", ".git", ".swiftpm", ".DS_Store"]
}
