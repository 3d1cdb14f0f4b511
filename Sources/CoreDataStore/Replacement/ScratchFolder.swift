internal import Foundation

/// A folder for work that nobody keeps, gone when the work is done.
package enum ScratchFolder {
  /// Runs the body with an empty folder, which only its owner can look into.
  ///
  /// - Throws: ``StoreError`` when there can be none, and what the body throws.
  package static func with<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try make()
    defer { remove(folder) }
    return try body(folder)
  }

  /// Runs the body with an empty folder, which only its owner can look into.
  ///
  /// - Throws: ``StoreError`` when there can be none, and what the body throws.
  package static func with<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let folder = try make()
    defer { remove(folder) }
    return try await body(folder)
  }

  private static func make() throws -> String {
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let path = parent.appending(path: "pipeline-trial-\(UUID().uuidString)").path
    do {
      try FileSystem.makeFolder(path)
    } catch {
      throw StoreError(error, what: "cannot make a folder to work in", subject: path)
    }
    return path
  }

  private static func remove(_ folder: String) { try? FileMoves.removeTree(folder) }
}
