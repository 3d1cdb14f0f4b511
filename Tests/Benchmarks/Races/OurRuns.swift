import Foundation

/// The ways of this package's own program.
extension Course {
  /// The new store is made next to the old one and stays there: staged, and safe on the disk.
  func staged(_ name: String, _ migration: String, workers: Int? = nil) -> Contender {
    Contender(
      name: name, kind: .ours,
      lack: (workers ?? 1) > 1 && !abilities.hasWorkers ? "this build has no --workers" : nil,
      command: { trial in
        [pipeline, "run", "\(trial.material)/\(migration).staged.pipeline", trial.source.path]
          + ["--work", trial.work.path, "--quiet"] + words(workers)
      },
      result: \.staged)
  }

  /// The whole of it: backup, validation, verification and swap, of a copy of the store.
  func complete(_ name: String, _ migration: String) -> Contender {
    whole(name, migration, ["--quiet"])
  }

  /// Shows what a run would do, with every object that would change.
  func dryRun(_ name: String, _ migration: String) -> Contender {
    var contender = whole(name, migration, ["--quiet", "--dry-run"])
    contender.result = nil
    contender.lack = abilities.hasDryRun ? nil : "this build has no --dry-run"
    return contender
  }

  private func whole(_ name: String, _ migration: String, _ options: [String]) -> Contender {
    Contender(
      name: name, kind: .ours,
      prepare: { try FileManager.default.copyItem(at: $0.source, to: $0.result) },
      command: { trial in
        [pipeline, "run", "\(trial.material)/\(migration).pipeline", trial.result.path]
          + ["--events", trial.events.path] + options
      })
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
