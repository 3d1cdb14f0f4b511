import CoreDataStore
import Foundation
import SQLite

/// A copy of a bench's template, in which one thing goes wrong.
struct Trial {
  /// Its folder.
  let folder: URL

  /// The store in it.
  var store: URL { folder.appending(path: Sample.store) }

  /// Copies a template; a run that it has begun is told where it is now.
  ///
  /// A folder of scratch has one trial at a time, always at the same path.
  init(_ template: URL, _ state: RunState?, in scratch: URL) throws {
    folder = scratch.appending(path: "trial")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder)
    }
    try FileManager.default.copyItem(at: template, to: folder)
    guard var state else { return }
    let place = try RunFolder(store: store.path)
    state.store = place.store
    state.identity = try DatabaseFile.examine(place.store).identity
    try state.write(place)
  }

  /// Removes it.
  func remove() throws { try FileManager.default.removeItem(at: folder) }

  /// Everything that lies in the store's folder, but for what is in backups and large values, and
  /// for the record of the run, which is written when all is done; a store in WAL mode may have its
  /// -wal and -shm.
  func files() throws -> [String] {
    let manager = FileManager.default
    let work = Sample.store + ".pipeline"
    return try ["", work, "\(work)/run"].flatMap { part in
      try manager.contentsOfDirectory(atPath: folder.appending(path: part).path)
        .filter { name in
          !name.hasPrefix("record.json") && name != "\(Sample.store)-wal"
            && name != "\(Sample.store)-shm"
        }.map { "\(part)/\($0)" }
    }.sorted()
  }
}
