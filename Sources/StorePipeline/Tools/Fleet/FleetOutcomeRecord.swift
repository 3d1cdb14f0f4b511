internal import CoreDataStore
internal import Formats

// An outcome as bytes: what of it is reported when all stores are done.
extension FleetSummary.Outcome {
  /// An outcome of which there is no more to say.
  enum Plain: Sendable {
    case writtenBefore, stopped, notBegun

    var outcome: FleetSummary.Outcome {
      switch self {
      case .writtenBefore: .writtenBefore
      case .stopped: .stopped
      case .notBegun: .notBegun
      }
    }
  }

  /// It, where there is no more to say.
  var plain: Plain? {
    switch self {
    case .writtenBefore: .writtenBefore
    case .stopped: .stopped
    case .notBegun: .notBegun
    case .ran, .failed: nil
    }
  }

  /// An error of which the words are left, and the status that it would have given a program.
  struct Kept: Error, CustomStringConvertible {
    let status: Int32
    let description: String
  }

  static func status(of error: any Error) -> Int32 {
    (error as? Kept)?.status ?? RunStatus.of(error)
  }

  private static let limits = FormatLimits(bytes: 256 << 20, nodes: 8_000_000, depth: 8)

  /// The bytes.
  var record: [UInt8] { Array(document.text(isData: true).utf8) }

  private var document: JSONValue {
    switch self {
    case .ran(let run):
      [
        "run": .string(run.run), "store": .string(run.store), "source": .string(run.source),
        "target": .string(run.target), "outcome": .texts(run.outcome.words),
        "objects": .count(run.rows), "bytes": .string(String(run.bytes)),
        "seconds": .real(run.seconds), "failures": .count(run.failureCount),
        "warnings": .texts(run.warnings), "backup": .text(run.backup),
      ]
    case .failed(let error):
      ["error": .string("\(error)"), "status": .integer(Int64(Self.status(of: error)))]
    case .writtenBefore, .stopped, .notBegun: .null
    }
  }

  /// The outcome that was kept as such bytes; nil when they are not whole.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(reading: record, limits: Self.limits) else { return nil }
    func text(_ name: String) -> String { value[name]?.string ?? "" }
    func texts(_ name: String) -> [String] { value[name]?.array?.compactMap(\.string) ?? [] }
    func count(_ name: String) -> Int { Int(clamping: value[name]?.integer ?? 0) }
    if let words = value["error"]?.string {
      self = .failed(Kept(status: Int32(clamping: count("status")), description: words))
      return
    }
    guard let outcome = RunSummary.Outcome(words: texts("outcome")) else { return nil }
    var run = RunSummary(
      run: text("run"), store: text("store"), source: text("source"), target: text("target"),
      outcome: outcome, digests: PlanDigests(pipeline: "", scripts: [], models: ""))
    run.entities = [RunSummary.Entity(name: "", how: "", objectsBefore: count("objects"))]
    (run.warnings, run.failureCount) = (texts("warnings"), count("failures"))
    (run.bytes, run.backup) = (Int64(text("bytes")) ?? 0, value["backup"]?.string)
    if case .real(let seconds)? = value["seconds"] { run.seconds = seconds }
    self = .ran(run)
  }
}

extension RunSummary.Outcome {
  /// Its name, and what goes with it.
  fileprivate var words: [String] {
    switch self {
    case .swapped: ["swapped"]
    case .written(let path): ["written", path]
    case .staged(let path): ["staged", path]
    case .stopped(let stage): ["stopped", stage]
    case .running: ["running"]
    case .upToDate: ["upToDate"]
    case .dryRun(let kept): ["dryRun"] + [kept].compactMap(\.self)
    case .invalid: ["invalid"]
    }
  }

  fileprivate init?(words: [String]) {
    let more = words.dropFirst().first
    switch (words.first, more) {
    case ("swapped", _): self = .swapped
    case ("written", let path?): self = .written(path)
    case ("staged", let path?): self = .staged(path)
    case ("stopped", let stage?): self = .stopped(after: stage)
    case ("running", _): self = .running
    case ("upToDate", _): self = .upToDate
    case ("dryRun", let kept): self = .dryRun(kept: kept)
    case ("invalid", _): self = .invalid
    default: return nil
    }
  }
}
