import Foundation

/// Complete runs that are looked at from outside, and are not timed.
extension Course {
  /// What is traced.
  static let traced = ["M1", "M2", "M3", "small", "entities"]
  /// What is watched.
  static let watched = ["M1", "M3"]

  /// Lets strace write down what a run asks of the system.
  func trace(_ name: String) throws -> Trace {
    guard Meter.succeeds(Trace.test) else {
      throw BenchError.lack("strace is missing or may not be used; `make bench-deps`")
    }
    let (source, contender) = try subject(name)
    let trial = try contender.trial(of: source, in: field)
    defer { try? FileManager.default.removeItem(at: field) }
    let file = field.appending(path: "trace")
    _ = try meter.measure(Trace.words(into: file) + contender.command(trial))
    return try Trace(of: size(of: source), in: trial.folder.path, reading: file)
  }

  /// Watches the memory and the disk that a run takes.
  func watch(_ name: String) throws -> Watch {
    let (source, contender) = try subject(name, workers: name == "M3" ? 2 : nil)
    if let lack = contender.lack { throw BenchError.lack(lack) }
    let trial = try contender.trial(of: source, in: field)
    defer { try? FileManager.default.removeItem(at: field) }
    // Copies that go with the process are seen, too.
    let command = ["env", "TMPDIR=\(trial.folder.path)"] + contender.command(trial)
    let measurement = try meter.measure(command, watching: trial.folder)
    let size = try size(of: source)
    let allowance = name == "M3" ? 2 * size / options.pictures : 0
    return Watch(size: size, allowance: allowance, measurement: measurement)
  }

  private func subject(
    _ name: String, workers: Int? = nil
  ) throws -> (source: URL, contender: Contender) {
    let (source, migration) =
      switch name {
      case "M1": (try store("things", rows: options.rows), "rename")
      case "M2": (try store("things", rows: options.rows), "rewrite")
      case "M3": (try store("pictures", rows: options.pictures), "move")
      case "small": (try smallStore(), "rename")
      default: (try store("entities", rows: options.entities.max() ?? 1), "rename")
      }
    return (source, complete(Names.complete, migration, workers: workers))
  }

  private func size(of store: URL) throws -> Int {
    try store.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
