import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// A command that is tortured, and what it must come to.
struct Bench: Sendable {
  /// What the command is, and of which store.
  let setting: Setting
  /// What an application finds before the commit and after it.
  private(set) var old: Content
  private(set) var new: Content
  /// The calls of an uninterrupted command.
  private(set) var calls: [String]
  /// Everything that is next to the store after it, and how many backups there are.
  private(set) var files: [String]
  private(set) var backups: Int

  var kind: Kind { setting.kind }

  /// What is tortured.
  enum Kind: String, Sendable {
    /// A run from its first call to its last.
    case run
    /// The same, with its result at a place of its own.
    case output = "run with --output"
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
    /// Objects that were rejected, through a corrected script.
    case retry
  }

  /// Does the command once, uninterrupted.
  init(_ setting: Setting, in scratch: URL) throws {
    self.setting = setting
    let template = try Template(setting, in: scratch)
    let trial = try Trial(template)
    let scratch = template.scratch
    old = try Content.read(trial.store, in: scratch)
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let end = try Child(words: template.words, folder: trial.folder, log: log).run()
    guard end.status == 0, !end.isKilled else { throw TortureError(end.text) }
    calls = try Child.calls(in: log)
    new = try Content.read(trial.place(of: setting.result), in: scratch)
    files = try trial.files()
    backups = try StoreBackup.list(WorkFolder(store: trial.store.path)).count
    guard old.difference(to: new) != nil, old.missing + new.missing == [], new.strays == [],
      !calls.isEmpty, !end.text.contains("warning")
    else { throw TortureError("the command does not do what it should: \(end.text)") }
    try checkStart(template)
  }

  /// The same of the usual sample, or of another one.
  init(
    _ kind: Kind, _ method: SwapChoices.Method = .replace, of variant: Sample.Variant? = nil,
    in scratch: URL
  ) throws {
    try self.init(Setting(kind, method, of: variant), in: scratch)
  }

  /// Makes sure that the new store begins as the sample is made for.
  private func checkStart(_ template: Template) throws {
    let isRun = [.run, .output].contains(kind)
    guard isRun, setting.variant == .dropping || setting.variant.hasKept else { return }
    let words = [
      "plan", Sample.pipeline, Sample.store, "--set", "method=\(setting.method.rawValue)",
    ]
    let said = try Child(words: words, folder: try Trial(template).folder).run().text
    let start = setting.variant.hasKept ? "on top of the source" : "empty"
    guard said.contains("begins    \(start):") else {
      throw TortureError("no start as wanted: \(said)")
    }
  }
}

/// What is tortured: a command, the store it is given, and how the new store takes its place.
struct Setting: Hashable, Sendable {
  let kind: Bench.Kind
  let variant: Sample.Variant
  let method: SwapChoices.Method

  init(
    _ kind: Bench.Kind, _ method: SwapChoices.Method = .replace, of variant: Sample.Variant? = nil
  ) {
    let usual: [Bench.Kind: Sample.Variant] = [.workers: .creating, .repeatable: .repeatable]
    (self.kind, self.method) = (kind, method)
    self.variant = variant ?? usual[kind] ?? .dropping
  }

  /// What it is called in the table.
  var name: String {
    let isUsual = [.dropping, .creating, .repeatable].contains(variant)
    return [kind.rawValue, isUsual ? "" : variant.rawValue, method == .rename ? "by rename" : ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The same as a part of a path.
  var folder: String { name.replacing(" ", with: "-") + "-\(variant)" }

  /// The store that the command makes, or changes.
  var result: String { kind == .output ? "Out.sqlite" : Sample.store }
}
