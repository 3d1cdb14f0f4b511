import Foundation

/// The ways of this package's own program.
extension Course {
  /// The new store is made next to the old one and stays there: staged, and safe on the disk.
  func staged(_ name: String, _ migration: String, workers: Int? = nil) -> Contender {
    Contender(
      name: name, kind: .ours, lack: lack(ofWorkers: workers ?? 1),
      command: { trial in
        [pipeline, "run", "\(trial.material)/\(migration).staged.pipeline", trial.source.path]
          + ["--work", trial.work.path, "--quiet"] + words(workers)
      },
      result: \.staged)
  }

  /// The whole of it: backup, validation, verification and swap, of a copy of the store.
  ///
  /// What tells of its stages writes a file that a run does not write by itself.
  func complete(
    _ name: String, _ migration: String, workers: Int? = nil, tells: Bool = false
  ) -> Contender {
    Contender(
      name: name, kind: .ours, lack: lack(ofWorkers: workers ?? 1),
      prepare: { try FileManager.default.copyItem(at: $0.source, to: $0.result) },
      rest: options.rest,
      command: { trial in
        [pipeline, "run", "\(trial.material)/\(migration).pipeline", trial.result.path, "--quiet"]
          + (tells ? ["--events", trial.events.path] : []) + words(workers)
      })
  }

  /// Shows what a run would do, with every object that would change.
  func dryRun(_ name: String, _ migration: String) -> Contender {
    var contender = complete(name, migration)
    let command = contender.command
    contender.command = { command($0) + ["--dry-run"] }
    contender.result = nil
    contender.lack = abilities.hasDryRun ? nil : "this build has no --dry-run"
    return contender
  }

  /// Why so many workers cannot be measured.
  private func lack(ofWorkers count: Int) -> String? {
    guard count > 1 else { return nil }
    return abilities.hasWorkers ? lack(ofProcessors: count) : "this build has no --workers"
  }

  /// Why what needs so many processors cannot be measured.
  func lack(ofProcessors count: Int) -> String? {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return processors < count ? "this machine has one processor" : nil
  }

  private func words(_ workers: Int?) -> [String] {
    guard let workers, abilities.hasWorkers else { return [] }
    return ["--workers", "\(workers)"]
  }
}

extension Trial {
  /// The folder of a run.
  var work: URL { folder.appending(path: "work") }
  /// The new store, before it goes anywhere.
  var staged: URL { work.appending(path: "run/next.sqlite") }
}
