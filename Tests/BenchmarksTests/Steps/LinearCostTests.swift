import Foundation
import TestSupport
import Testing

@testable import Benchmarks
@testable import LargeStore

@Suite(
  "What a model's size costs", .temporaryFolder,
  .enabled(if: StepCounter.isThere, "steps are counted on Linux, with clang, without sanitizers"))
struct LinearCostTests {
  private static let kinds = Workload.growing(1).map(\.name)

  /// How much more one of many may cost than one of few: tables of hashes and sorted lists grow a
  /// little faster than what is in them, and SQLite goes through its schema at each change of it.
  private static let most = 1.5

  @Test(
    "each entity, attribute and relationship costs the same, however many others there are",
    arguments: kinds)
  func linear(_ kind: String) throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    let sizes = kind == "entities" ? [10, 100, 1_000] : [10, 100, 300]
    let steps = try sizes.map { try Self.steps(kind, $0, counter) }
    for command in steps[0].keys.sorted() {
      let counts = steps.map { $0[command] ?? 0 }
      func each(_ few: Int, _ many: Int) -> Double {
        Double(counts[many] - counts[few]) / Double(sizes[many] - sizes[few])
      }
      let (first, last) = (each(0, 1), each(1, 2))
      #expect(
        last <= first * Self.most,
        "\(command): \(counts) steps with \(sizes) \(kind), \(first) each, then \(last)")
    }
  }

  /// The steps of each command, on a store and a model of this size.
  private static func steps(
    _ kind: String, _ size: Int, _ counter: StepCounter
  ) throws -> [String: Int] {
    let workload = try #require(Workload.named(kind, size))
    let folder = TemporaryFolder.url.appending(path: "\(size)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try workload.write(into: folder, count: size)
    func path(_ name: String) -> String { folder.appending(path: name).path }
    let (store, old) = (path("\(workload.title).sqlite"), path("old.sqlite"))
    try FileManager.default.copyItem(atPath: store, toPath: old)
    let pipeline = path("rename.pipeline")
    let commands: KeyValuePairs = [
      "check": ["check", pipeline], "plan": ["plan", pipeline, store],
      "run": ["run", pipeline, store, "--report", path("report.html")],
      "diff": ["diff", old, store, "--models", path("\(workload.title).xcdatamodeld")],
      "verify": ["verify", store],
    ]
    var steps: [String: Int] = [:]
    for (name, words) in commands {
      let program = BuiltPrograms.folder.appending(path: "pipeline").path
      steps[name] = try counter.steps(of: [program] + words)
    }
    return steps
  }
}
