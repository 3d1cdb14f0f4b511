import CoreDataStore
import Foundation
import SQLite
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

  /// Makes it, unless the worker has it already.
  init(_ setting: Setting, in scratch: URL) throws {
    self.scratch = scratch
    let method = setting.method.rawValue
    let run = ["run", Sample.pipeline, Sample.store, "--set", "method=\(method)"]
    folder = scratch.appending(path: "template-\(setting.folder)")
    let place = scratch.appending(path: "trial")
    if !FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Self.prepare(setting, run, in: place)
      try FileManager.default.moveItem(at: place, to: folder)
    }
    switch setting.kind {
    case .run, .repeatable, .swap: words = run
    case .output: words = run + ["--output", setting.result]
    case .workers: words = run + ["--workers", "2"]
    case .resume, .retry: words = [setting.kind.rawValue, Sample.store]
    case .rollback: words = ["rollback", Sample.store, "--wait", "0 s"]
    case .restore:
      let backups = "\(Sample.store).pipeline/backups"
      let path = folder.appending(path: backups).path
      let name = try FileManager.default.contentsOfDirectory(atPath: path).first ?? ""
      words = ["restore", "\(backups)/\(name)", Sample.store, "--wait", "0 s"]
    }
    let isBegun = setting.kind == .swap || setting.kind == .resume
    state = isBegun ? try Self.state(in: folder, at: place) : nil
  }

  /// Lays the sample and does what comes before the command.
  private static func prepare(_ setting: Setting, _ run: [String], in place: URL) throws {
    try Sample.lay(setting.variant, in: place)
    switch setting.kind {
    case .run, .output, .repeatable, .workers: return
    case .swap: return try stage(run, in: place)
    default: break
    }
    let isRetry = setting.kind == .retry
    try Sample.rejectItems(isRetry, in: place)
    let words = setting.kind == .resume ? run + ["--until", "copy"] : run
    let begun = try Child(words: words, folder: place).run()
    guard begun.status == 0 else { throw TortureError(begun.text) }
    try Sample.rejectItems(false, in: place)
    if setting.variant == .resized { try resize(place.appending(path: Sample.store)) }
  }

  /// Lets a run come to where the new store is whole and nothing of the swap is done.
  private static func stage(_ run: [String], in place: URL) throws {
    let other = place.deletingLastPathComponent().appending(path: "begun")
    try? FileManager.default.removeItem(at: other)
    try FileManager.default.copyItem(at: place, to: other)
    defer { try? FileManager.default.removeItem(at: other) }
    let log = other.appending(path: "calls.log")
    let whole = try Child(words: run, folder: other, log: log).run()
    let swap = try Child.calls(in: log).firstIndex {
      $0.hasSuffix("\(Sample.store).pipeline/backups")
    }
    guard whole.status == 0, let swap else { throw TortureError(whole.text) }
    let begun = try Child(words: run, folder: place, fault: Mode.kill.fault(at: swap + 1)).run()
    guard begun.isKilled else { throw TortureError(begun.text) }
  }

  /// Gives a store pages of another size, as an application may at any time.
  private static func resize(_ store: URL) throws {
    let app = try Connection(path: store.path, mode: .own(create: false))
    try app.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = WAL")
    try app.close()
  }

  /// The state of a run, read where its store is.
  private static func state(in folder: URL, at place: URL) throws -> RunState? {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: folder, to: place)
    defer { try? FileManager.default.moveItem(at: place, to: folder) }
    return try RunState.read(WorkFolder(store: place.appending(path: Sample.store).path))
  }
}
