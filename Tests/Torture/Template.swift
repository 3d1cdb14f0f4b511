import CoreDataStore
import Foundation

/// A folder as it is before a command, made once in each worker's folder: paths are in what runs
/// write.
struct Template {
  /// The worker's folder.
  let scratch: URL
  /// What every trial gets a copy of.
  let folder: URL
  /// The words of the command.
  let words: [String]
  /// The run that was begun in it, when there is one that goes on.
  let state: RunState?

  init(_ kind: Bench.Kind, _ method: SwapChoices.Method, in scratch: URL) throws {
    self.scratch = scratch
    let run = ["run", Sample.pipeline, Sample.store, "--set", "method=\(method.rawValue)"]
    folder = scratch.appending(path: "template-\(kind.rawValue)-\(method.rawValue)")
    let place = scratch.appending(path: "trial")
    if !FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Sample.lay(in: place)
      if kind != .run {
        let words = kind == .swap ? run + ["--until", "validate"] : run
        let begun = try Child(words: words, folder: place).run()
        guard begun.status == 0 else { throw TortureError(begun.text) }
      }
      try FileManager.default.moveItem(at: place, to: folder)
    }
    let work = "\(Sample.store).pipeline"
    switch kind {
    case .run, .swap: words = run
    case .rollback: words = ["rollback", Sample.store]
    case .restore:
      let backups = folder.appending(path: "\(work)/backups").path
      let name = try FileManager.default.contentsOfDirectory(atPath: backups).first ?? ""
      words = ["restore", "\(work)/backups/\(name)", Sample.store]
    }
    state = kind == .swap ? try Self.state(in: folder, at: place) : nil
  }

  /// The state of a run, read where its store is.
  private static func state(in folder: URL, at place: URL) throws -> RunState? {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: folder, to: place)
    defer { try? FileManager.default.moveItem(at: place, to: folder) }
    return try RunState.read(RunFolder(store: place.appending(path: Sample.store).path))
  }
}
