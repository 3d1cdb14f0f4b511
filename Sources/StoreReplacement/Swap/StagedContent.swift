internal import CoreDataStore
internal import SQLite

/// The staged store, open to be read.
final class StagedContent {
  let connection: Connection

  /// - Throws: ``Failure`` when it is not what was validated.
  init(_ folder: WorkFolder, _ state: RunState) throws {
    connection = try Connection(path: folder.nextPath, mode: .foreign)
    guard let next = state.next, try connection.pageImage() == next else {
      try? connection.close()
      throw Failure(
        .unusable, what: "cannot use the new store", subject: folder.nextPath,
        why: "It is not what was checked: it was changed or damaged since.",
        remedy: "The store is as it was. \(state.work.startingOver(folder))")
    }
  }

  /// The files that the staged store refers to.
  static func references(_ folder: WorkFolder) throws -> Set<String> {
    let connection = try Connection(path: folder.nextPath, mode: .foreign)
    defer { try? connection.close() }
    return try ExternalFolder.references(in: connection)
  }

  func close() throws { try connection.close() }
}
