import CoreDataStore
import Foundation
import StoreReplacement

/// A folder as it is before a command, made once in each worker's folder: paths are in what runs
/// write.
struct Template {
  /// The worker's folder.
  let scratch: URL
  /// What every trial gets a copy of.
  let folder: URL
  /// The words of the command.
  let words: [String]
  /// The run that was begun in it, when there is one to resume.
  let state: RunState?

  init(_ kind: Bench.Kind, _ method: SwapChoices.Method = .replace, in scratch: URL) throws {
    self.scratch = scratch
    let run = ["run", Sample.pipeline, Sample.store, "--set", "method=\(method.rawValue)"]
    folder = scratch.appending(path: "template-\(kind.rawValue)-\(method.rawValue)")
    let place = scratch.appending(path: "trial")
    if !FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Self.prepare(kind, run, in: place)
      try FileManager.default.moveItem(at: place, to: folder)
    }
    switch kind {
    case .run, .repeatable, .swap: words = run
    case .workers: words = run + ["--workers", "2"]
    case .resume, .retry: words = [kind.rawValue, Sample.store]
    case .rollback: words = ["rollback", Sample.store, "--wait", "0 s"]
    case .restore:
      let backups = "\(Sample.store).pipeline/backups"
      let path = folder.appending(path: backups).path
      let name = try FileManager.default.contentsOfDirectory(atPath: path).first ?? ""
      words = ["restore", "\(backups)/\(name)", Sample.store, "--wait", "0 s"]
    }
    let isBegun = kind == .swap || kind == .resume
    state = isBegun ? try Self.state(in: folder, at: place) : nil
  }

  /// Lays the sample and does what comes before the command.
  private static func prepare(_ kind: Bench.Kind, _ run: [String], in place: URL) throws {
    let variants: [Bench.Kind: Sample.Variant] = [.workers: .creating, .repeatable: .repeatable]
    try Sample.lay(variants[kind] ?? .dropping, in: place)
    let words: [String]
    switch kind {
    case .run, .repeatable, .workers: return
    case .swap: words = run + ["--until", "validate"]
    case .resume: words = run + ["--until", "copy"]
    case .rollback, .restore, .retry: words = run
    }
    try Sample.rejectItems(kind == .retry, in: place)
    let begun = try Child(words: words, folder: place).run()
    guard begun.status == 0 else { throw TortureError(begun.text) }
    try Sample.rejectItems(false, in: place)
  }

  /// The state of a run, read where its store is.
  private static func state(in folder: URL, at place: URL) throws -> RunState? {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: folder, to: place)
    defer { try? FileManager.default.moveItem(at: place, to: folder) }
    return try RunState.read(WorkFolder(store: place.appending(path: Sample.store).path))
  }
}
