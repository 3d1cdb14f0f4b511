import Foundation

/// Complete runs that are looked at from outside, and are not timed.
extension Course {
  /// What is traced.
  static let traced = ["M1", "M2", "M3", "small", "entities"]
  /// What is watched.
  static let watched = ["M1", "M3"]
  /// Of what it is looked at how long runs said that they would take still.
  static let timed = ["M1", "M2", "M2 chain", "M1 wide", "M3", "M3 thumbnails"]

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

  /// Lets a run say how long it takes still, and compares that with how long it took.
  func remaining(_ name: String) throws -> Remaining {
    let (source, contender) = try subject(name, tells: true)
    let trial = try contender.trial(of: source, in: field)
    defer { try? FileManager.default.removeItem(at: field) }
    _ = try meter.measure(contender.command(trial))
    guard let lines = try? String(contentsOf: trial.events, encoding: .utf8),
      let remaining = Remaining(reading: lines)
    else { throw BenchError("the run has left no events") }
    return remaining
  }

  private func subject(
    _ name: String, workers: Int? = nil, tells: Bool = false
  ) throws -> (source: URL, contender: Contender) {
    let (source, migration) =
      switch name {
      case "M1": (try store("things", rows: options.rows), "rename")
      case "M2": (try store("things", rows: options.rows), "rewrite")
      case "M2 chain": (try store("things", rows: options.rows), "chain")
      // A fifth as in the race is over before anything is said of its end.
      case "M1 wide": (try store("wide", rows: options.rows), "rename")
      case "M3": (try store("pictures", rows: options.pictures), "move")
      case "M3 thumbnails": (try store("pictures", rows: options.pictures), "thumbnails")
      case "small": (try smallStore(), "rename")
      default: (try store("entities", rows: options.entities.max() ?? 1), "rename")
      }
    return (source, complete(Names.complete, migration, workers: workers, tells: tells))
  }

  private func size(of store: URL) throws -> Int {
    try store.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
