import CoreDataStore
import Foundation
import SQLite

/// Where the trials of one kind begin, and what each must come to.
struct Bench: Sendable {
  /// The folder that every trial gets a copy of.
  let template: URL
  /// The command that is tortured, and that goes on afterwards.
  let words: [String]
  /// What an application finds before the commit and after it.
  let old: Content
  let new: Content
  /// The calls of an uninterrupted run.
  let calls: [String]
  /// Everything that is beside the store after it.
  let files: [String]
  /// The run that the template has begun, when it has.
  let state: RunState?

  /// The whole run of a fresh store, or only its end, from the new store's last check on.
  init(_ kind: Kind, method: SwapChoices.Method, in scratch: URL) throws {
    template = scratch.appending(path: "template-\(kind.rawValue)-\(method.rawValue)")
    words = [
      "run", Sample.pipeline, Sample.store, "--set", "method=\(method.rawValue)",
    ]
    try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
    try Sample.lay(in: template)
    old = try Content.read(template.appending(path: Sample.store), in: scratch)
    if kind == .swap {
      let begun = try Child(words: words + ["--until", "validate"], folder: template).run()
      guard begun.status == 0 else { throw TortureError(begun.text) }
      state = try RunState.read(
        RunFolder(store: template.appending(path: Sample.store).path))
    } else {
      state = nil
    }
    let trial = try Trial(template, state, in: scratch)
    let log = scratch.appending(path: "clean.log")
    let end = try Child(words: words, folder: trial.folder, log: log).run()
    guard end.status == 0, !end.isKilled else { throw TortureError(end.text) }
    calls = try Child.calls(in: log)
    new = try Content.read(trial.store, in: scratch)
    files = try trial.files()
    try FileManager.default.removeItem(at: log)
    try trial.remove()
    guard old.difference(to: new) != nil, new.runs == 1, old.missing + new.missing == [],
      new.strays == []
    else { throw TortureError("the clean run is not what it should be: \(end.text)") }
  }

  /// What is tortured.
  enum Kind: String, Sendable {
    /// A run from its first call to its last.
    case run
    /// What comes when the new store is whole.
    case swap
  }
}
