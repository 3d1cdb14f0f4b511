import CoreDataStore
import Foundation

/// Several stores in one command, two at a time: at each call at which it is killed, each store is
/// the old one or the new one, and the same command finishes them all.
struct FleetTest: Sendable {
  private static let names = ["a", "b"]
  private static let words =
    ["run", "a/\(Sample.pipeline)"] + names.map { "\($0)/\(Sample.store)" } + ["--jobs", "2"]

  private let bench: Bench
  /// The calls of an uninterrupted command.
  let calls: Int

  /// Does the command once, uninterrupted; each store comes to what it comes to alone.
  init(_ bench: Bench, in scratch: URL) throws {
    self.bench = bench
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let place = try Self.lay(in: scratch)
    let end = try Child(words: Self.words, folder: place, log: log).run()
    guard end.status == 0, !end.isKilled else { throw TortureError(end.text) }
    calls = try Child.calls(in: log).count
  }

  /// Kills the command before a call.
  func kill(at point: Int, in scratch: URL) throws -> Score {
    let place = try Self.lay(in: scratch)
    var child = Child(words: Self.words, folder: place)
    child.fault = Mode.kill.fault(at: point)
    // Two stores at a time are never quite the same sequence: a late call may not come.
    let isKilled = try child.run().isKilled
    var failures: [String] = []
    for name in Self.names {
      let store = place.appending(path: "\(name)/\(Sample.store)")
      let content = try SecondSQLite.read(store, in: scratch)
      guard let notOld = content.difference(to: bench.old),
        let notNew = content.difference(to: bench.new)
      else { continue }
      failures.append("\(name) is a mixture: \(notOld), \(notNew), at call \(point)")
    }
    let end = try Child(words: Self.words, folder: place).run()
    if end.status != 0 { failures.append("again: \(end.text), at call \(point)") }
    for name in Self.names {
      let trial = Trial(at: place.appending(path: name))
      guard let why = try PointTest.check(trial, bench, in: scratch) else { continue }
      failures.append("\(name) afterwards: \(why), at call \(point)")
    }
    return Score(points: isKilled ? 1 : 0, failures: failures)
  }

  private static func lay(in scratch: URL) throws -> URL {
    let template = scratch.appending(path: "template-fleet")
    if !FileManager.default.fileExists(atPath: template.path) {
      for name in names {
        let folder = template.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Sample.lay(in: folder)
      }
    }
    let place = scratch.appending(path: "fleet")
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: template, to: place)
    return place
  }
}
