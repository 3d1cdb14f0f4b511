import Foundation
import TestSupport
import Testing

@testable import Benchmarks

/// Measured is nothing here: the stores are too small, the build is for debugging.
@Suite("The benchmarks", .temporaryFolder, .timeLimit(.minutes(10))) struct BenchTests {
  @Test("everybody who is installed makes the same rows")
  func rows() throws {
    var options = try BenchOptions(["rows=300", "pictures=2", "rounds=1"])
    options.programs = BuiltPrograms.folder.path
    options.folder = TemporaryFolder.url.appending(path: "bench").path
    options.peers = Self.project.appending(path: options.peers).path
    options.python = Self.project.appending(path: options.python).path
    (options.entities, options.stores, options.keys, options.rest) = ([2, 3], 2, 20, 0)
    // Valgrind takes minutes for a build for debugging.
    options.skipped = ["instructions"]
    var printed: [String] = []
    let findings = try Bench(options).run { printed.append($0) }
    #expect(
      findings.races.map(\.race.name)
        == ["M1", "M2", "M1 wide", "M3", "M3 thumbnails", "small", "fleet", "find"])
    // Growth of rows and of entities, what was looked at, and each trace file by file; what runs
    // said that remains, and what a user waits for.
    let traces = findings.traces.values.filter { (try? $0.get()) != nil }
    #expect(printed.count == findings.races.count + 5 + traces.count)
    for result in findings.races {
      for (name, why) in result.missing {
        #expect(!why.description.hasPrefix("failed"), "\(result.race.name): \(name): \(why)")
        print("Not looked at: \(result.race.name), \(name): \(why)")
      }
      #expect(result.measurements[result.race.contenders[0].name] != nil || !result.missing.isEmpty)
    }
    #expect(findings["M1"]?.measurements[Names.staged]?.count == 1)
    #expect(findings["M1"]?.measurements[Names.complete]?.first?.parts["verify"] != nil)
    #expect(try findings.growth?.get().points.count == 4)
    #expect(try findings.entities?.get().points.count == 2)
    for name in Course.timed {
      #expect(try findings.remaining[name]?.get().errors.count == 9, "\(name)")
    }
    for (name, wait) in findings.waits {
      if case .failure(let why) = wait { #expect(why.isLack, "\(name): \(why)") }
    }
    #expect(findings.waits.count == Course.waits.count)
    for goal in findings.goals {
      #expect(goal.why?.isLack != false, "\(goal.id): \(goal.why?.description ?? "")")
    }
    #expect(!FileManager.default.fileExists(atPath: options.folder))
  }

  @Test("a part that is not asked for is not run")
  func part() throws {
    let options = try BenchOptions(["filter=sqlite.open", "programs=/nowhere"])
    #expect(try Bench(options).run { _ in }.isEmpty)
  }

  private static let project = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
