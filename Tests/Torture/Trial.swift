import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// A copy of a template, in which one thing goes wrong.
struct Trial {
  /// Its folder.
  let folder: URL

  /// The store in it.
  var store: URL { folder.appending(path: Sample.store) }

  /// The path of a store in it by its name.
  func place(of name: String) -> URL { folder.appending(path: name) }

  /// A folder that is there.
  init(at folder: URL) { self.folder = folder }

  /// Copies a template.
  init(_ template: Template) throws {
    try self.init(template.folder, template.state, in: template.scratch)
  }

  /// Copies a folder; a run that resumes learns that its store is another file now.
  init(_ source: URL, _ state: RunState?, in scratch: URL) throws {
    folder = scratch.appending(path: "trial")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: source, to: folder)
    guard var state else { return }
    let place = try WorkFolder(store: store.path)
    state.identity = try DatabaseFile.examine(place.store).identity
    try state.write(place)
  }

  /// Everything that lies in the store's folder and matters.
  ///
  /// Left out are backups and large values, what is there to be looked at and nothing is built on
  /// (the record of the run, where it is, its warnings), and the -wal and -shm that a store in WAL
  /// mode may have.
  func files() throws -> [String] {
    let manager = FileManager.default
    let work = Sample.store + ".pipeline"
    return try ["", work, "\(work)/run"].flatMap { part in
      let path = folder.appending(path: part).path
      guard manager.fileExists(atPath: path) else { return [String]() }
      return try manager.contentsOfDirectory(atPath: path).filter { name in
        !["record.json", "progress.json", "warnings.json"].contains { name.hasPrefix($0) }
          && name != "\(Sample.store)-wal"
          && name != "\(Sample.store)-shm"
      }.map { "\(part)/\($0)" }
    }.sorted()
  }
}
