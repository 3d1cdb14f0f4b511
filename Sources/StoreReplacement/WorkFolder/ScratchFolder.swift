internal import CoreDataStore
internal import OperatingSystem

/// A folder for work that is not kept, gone when the work is done.
package enum ScratchFolder {
  /// Runs the body with an empty folder, which only its owner can look into.
  ///
  /// - Throws: ``Failure`` when there can be none, and what the body throws.
  package static func with<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try make()
    defer { folder.remove() }
    return try body(folder.path)
  }

  /// Runs the body with an empty folder, which only its owner can look into.
  ///
  /// - Throws: ``Failure`` when there can be none, and what the body throws.
  package static func with<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let folder = try make()
    defer { folder.remove() }
    return try await body(folder.path)
  }

  private static func make() throws -> OwnedFolder {
    do {
      let folder = try OwnedFolder(.trial, in: try FileSystem.realPath(OwnedFolder.system))
      try FileSystem.makeFolder(folder.path)
      return folder
    } catch {
      throw Failure(
        .refused, what: "cannot make a folder to work in", subject: OwnedFolder.system,
        why: "\(error.message).", remedy: "Make room there, or set TMPDIR to another folder.")
    }
  }
}
