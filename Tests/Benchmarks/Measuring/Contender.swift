import Foundation

/// One way to do a migration.
struct Contender {
  /// What kind of a way it is.
  enum Kind {
    /// The program of this package.
    case ours
    /// Another tool, as somebody would use it who knows it well.
    case peer
    /// Not a migration: what one cannot go below.
    case limit
  }

  /// What to call it.
  var name: String
  /// What kind of a way it is.
  var kind = Kind.peer
  /// What it cannot do without.
  var needs: [Need] = []
  /// Why it cannot be measured with what was built; nil when it can.
  var lack: String?
  /// What comes before it and is not measured.
  var prepare: (Trial) throws -> Void = { _ in }
  /// For how many seconds its store is left alone then, as a user's store is.
  var rest = 0.0
  /// The command.
  var command: (Trial) -> [String]
  /// The store that comes out; nil of what is no migration.
  var result: ((Trial) -> URL)? = \.result
}

extension Contender {
  /// Empties a folder and prepares a run in it.
  func trial(of source: URL, in folder: URL, named name: String = "trial") throws -> Trial {
    let trial = Trial(source: source, folder: folder.appending(path: name))
    try? FileManager.default.removeItem(at: trial.folder)
    try FileManager.default.createDirectory(at: trial.folder, withIntermediateDirectories: true)
    try prepare(trial)
    // What was written before is not to be waited for by the one that is measured.
    _ = Meter.succeeds(["sync"])
    Thread.sleep(forTimeInterval: rest)
    return trial
  }
}

/// The files of one run of one contender.
struct Trial {
  /// The store that is migrated.
  var source: URL
  /// A folder that is emptied before each run.
  var folder: URL

  /// Where the new store goes.
  var result: URL { folder.appending(path: "result.sqlite") }
  /// The folder of the models, the pipelines and the SQL.
  var material: String { source.deletingLastPathComponent().path }
}
