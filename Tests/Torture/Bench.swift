import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// A command that is tortured, and what it must come to.
struct Bench: Sendable {
  /// What the command is.
  let kind: Kind
  /// The way the new store takes the old one's place.
  let method: SwapChoices.Method
  /// What an application finds before the commit and after it.
  private(set) var old: Content
  private(set) var new: Content
  /// The calls of an uninterrupted command.
  private(set) var calls: [String]
  /// Everything that is next to the store after it, and how many backups there are.
  private(set) var files: [String]
  private(set) var backups: Int

  /// What is tortured.
  enum Kind: String, Sendable {
    /// A run from its first call to its last.
    case run
    /// What comes when the new store is whole.
    case swap
    /// The way back to the store before the run.
    case rollback
    /// The same by the backup's name.
    case restore
    /// A run whose script could change its own result once more.
    case repeatable = "repeatable run"
    /// A run by two threads and the one that writes; a script makes objects and large values.
    case workers = "run by workers"
    /// What comes when the objects are copied, by `resume`.
    case resume
    /// Objects that were rejected, through a mended script.
    case retry
  }

  /// Does the command once, uninterrupted.
  init(_ kind: Kind, _ method: SwapChoices.Method = .replace, in scratch: URL) throws {
    (self.kind, self.method) = (kind, method)
    let template = try Template(kind, method, in: scratch)
    let trial = try Trial(template)
    let scratch = template.scratch
    old = try Content.read(trial.store, in: scratch)
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let end = try Child(words: template.words, folder: trial.folder, log: log).run()
    guard end.status == 0, !end.isKilled else { throw TortureError(end.text) }
    calls = try Child.calls(in: log)
    new = try Content.read(trial.store, in: scratch)
    files = try trial.files()
    backups = try StoreBackup.list(WorkFolder(store: trial.store.path)).count
    guard old.difference(to: new) != nil, old.missing + new.missing == [], new.strays == [],
      !calls.isEmpty, !end.text.contains("warning")
    else { throw TortureError("the command does not do what it should: \(end.text)") }
  }
}
