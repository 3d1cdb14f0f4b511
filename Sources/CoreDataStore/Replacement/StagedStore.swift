internal import Formats
package import SQLite

/// The new store that a run has made, before it takes the old one's place.
package enum StagedStore {
  private static let what = "cannot use the new store"

  /// Checks it, makes sure that it outlives a power cut, and writes the phase `validated`.
  ///
  /// With `full` SQLite compares indexes and tables too, which takes as long as copying twice.
  ///
  /// - Throws: ``StoreError``; after a failed sync the staged file is gone, because "the state of
  ///   the file is unknown" then: the next run makes it again.
  package static func seal(
    _ folder: RunFolder, _ state: inout RunState, full: Bool = false,
    progress: PageProgress = { _, _ in true }
  ) throws {
    let next = try replacing(what, folder.nextPath) {
      for suffix in ["-wal", "-journal"] where try FileEntry.at(folder.nextPath + suffix) != nil {
        throw failure(folder, "It has a \(suffix): it was not closed.")
      }
      let connection = try Connection(path: folder.nextPath, mode: .foreign)
      defer { try? connection.close() }
      guard try RunMark.isThere(state.run, in: connection) else {
        throw failure(folder, "Its metadata does not name the run that made it.")
      }
      let problems = try connection.problems(full ? .full : .quick)
      guard problems.isEmpty else { throw failure(folder, "It is damaged: \(problems[0]).") }
      return try connection.pageImage(progress: progress)
    }
    try makeDurable(folder)
    state.next = next
    state.phase = .validated
    try state.write(folder)
  }

  private static func makeDurable(_ folder: RunFolder) throws {
    do {
      try FileMoves.sync(folder.nextPath)
      for name in try ExternalFolder.names(in: folder.nextExternals) {
        try FileMoves.sync("\(folder.nextExternals)/\(name)")
      }
      if try FileEntry.at(folder.nextExternals) != nil {
        try FileMoves.sync(folder: folder.nextExternals)
      }
      try FileMoves.sync(folder: folder.path)
    } catch let error as SystemError {
      try? FileMoves.remove(folder.nextPath)
      throw StoreError(error, what: what, subject: folder.nextPath)
    }
  }

  private static func failure(_ folder: RunFolder, _ why: String) -> StoreError {
    StoreError(
      .unusable, what: what, subject: folder.nextPath, why: why,
      remedy: "Begin anew with --restart; the store is as it was.")
  }
}

/// The id of a run in a store's metadata: it commits with the data, and tells whose the data is.
enum RunMark {
  /// Whether the store's last record of `PipelineLog` is of this run.
  static func isThere(_ run: String, in connection: Connection) throws -> Bool {
    let schema = try Schema(of: connection)
    let tables = TableGuard(path: connection.path, connection: connection, schema: schema)
    guard schema.table("Z_METADATA") != nil,
      let metadata = try? MetadataReader(tables: tables).read()
    else { return false }
    return metadata.log.last?.dictionary?["run"]?.string == run
  }
}
