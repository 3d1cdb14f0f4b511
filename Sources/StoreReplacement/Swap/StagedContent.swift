internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// The staged store, open to be read.
package final class StagedContent {
  let connection: Connection
  private let state: RunState
  private let remedy: String

  /// - Throws: ``Failure`` when it is not what was validated.
  convenience init(_ folder: WorkFolder, _ state: RunState) throws {
    try self.init(sealed: folder, state)
    guard try connection.pageImage() == state.next else {
      try? connection.close()
      throw strange()
    }
  }

  /// The same of a run that was sealed a moment ago.
  convenience init(sealed folder: WorkFolder, _ state: RunState) throws {
    self.init(try Connection(path: folder.nextPath, mode: .foreign), folder, state)
  }

  /// The same, read through the connection on which it was checked.
  init(_ connection: Connection, _ folder: WorkFolder, _ state: RunState) {
    (self.connection, self.state) = (connection, state)
    remedy = "The store is as it was. \(state.work.startingOver(folder))"
  }

  /// Refuses a store on top of the run's copy where that is not what was copied any more: what
  /// stays as it was would not be as it was.
  func checkBase(_ folder: WorkFolder) throws {
    if connection.isOverlay(on: folder.sourcePath) { throw strange() }
  }

  private func strange() -> Failure {
    Failure(
      .unusable, what: "cannot use the new store", subject: connection.path,
      why: "It is not what was checked: it was changed or damaged since.", remedy: remedy)
  }

  /// Writes it to a new file: a clone, or all of its pages where it is on top of another store.
  ///
  /// - Throws: ``Failure`` when what was read for it is not what was validated.
  func write(to path: String, isWAL: Bool = false) throws {
    guard connection.isOverlay else {
      return try FileSystem.clone(connection.path, to: path)
    }
    let image = try PageFile.write(connection, to: path, isWAL: isWAL)
    guard image == state.next else { throw strange() }
  }

  /// The files that the staged store refers to.
  static func references(_ folder: WorkFolder) throws -> Set<String> {
    let connection = try Connection(path: folder.nextPath, mode: .foreign)
    defer { try? connection.close() }
    return try ExternalFolder.references(in: connection)
  }

  /// Notes in the run's folder what the run was made from, with what the store itself says of it.
  ///
  /// - Throws: ``Failure`` when it cannot be written.
  package func note(_ kept: inout BackupProvenance, _ folder: WorkFolder) throws {
    try kept.write(folder, connection)
  }

  func close() throws { try connection.close() }
}
