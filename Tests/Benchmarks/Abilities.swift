/// What the built command can do, asked of the command itself.
struct Abilities: Equatable {
  /// Whether scripts can run on several processors.
  var hasWorkers: Bool
  /// Whether there are dry runs.
  var hasDryRun: Bool

  /// What a command can do whose `run --help` says this.
  init(help: String) {
    hasWorkers = help.contains("--workers")
    hasDryRun = help.contains("--dry-run")
  }

  /// Asks a command.
  init(of pipeline: String) throws {
    let (help, complaints) = try Meter.output(of: [pipeline, "run", "--help"])
    guard !help.isEmpty else { throw BenchError("\(pipeline) cannot be asked: \(complaints)") }
    self.init(help: help)
  }
}
