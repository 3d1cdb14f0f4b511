import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// The pages that a store must have, whatever way they got into it.
enum Pages {
  /// What SQLite's backup API makes of a store and of the staged one that is to take its place; nil
  /// where none is ready to.
  static func byBackup(_ trial: Trial, in scratch: URL) throws -> PageImage? {
    let folder = try WorkFolder(store: trial.store.path)
    guard let state = try RunState.read(folder), state.phase >= .validated, state.phase < .swapped,
      FileManager.default.fileExists(atPath: folder.nextPath)
    else { return nil }
    let copy = try Content.copy(trial.store, to: scratch.appending(path: "reference"))
    let run = copy.deletingLastPathComponent().appending(path: "run")
    try FileManager.default.copyItem(at: URL(filePath: folder.path), to: run)
    var mode = OpenMode.own(create: false)
    mode.durability = .off
    let store = try Connection(path: copy.path, mode: mode)
    defer { try? store.close() }
    _ = try store.setJournalMode("DELETE")
    let staged = try Connection(path: run.appending(path: "next.sqlite").path, mode: .foreign)
    defer { try? staged.close() }
    try staged.copy(to: store, pagesPerStep: -1)
    return try store.pageImage()
  }

  /// What the state of a run says that its store is to be; nil where it says nothing.
  static func staged(_ trial: Trial) throws -> PageImage? {
    let state = try RunState.read(WorkFolder(store: trial.store.path))
    return state.flatMap { $0.phase >= .validated ? $0.next : nil }
  }
}

extension Template {
  /// The pages of the store before the command.
  func image() throws -> PageImage {
    let file = folder.appendingPathExtension("image")
    if let known = try? Data(contentsOf: file) {
      return try JSONDecoder().decode(PageImage.self, from: known)
    }
    let image = try Content.read(folder.appending(path: Sample.store), in: scratch).image
    try JSONEncoder().encode(image).write(to: file)
    return image
  }
}
