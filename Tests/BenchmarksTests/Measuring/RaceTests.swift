import Foundation
import SQLite
import TestSupport
import Testing

@testable import Benchmarks

@Suite("A race", .temporaryFolder) struct RaceTests {
  @Test("everybody has a turn in each round, and starts in an empty folder")
  func turns() throws {
    let result = try race([copying("a"), copying("b")]).run(
      rounds: 3, meter: meter, in: field
    ) { _ in }
    #expect(result.missing.isEmpty)
    #expect(result.times(of: "a").count == 3)
    #expect(result.ratio("a")?.median == 1)
    #expect(try #require(result.ratio("b")).min > 0)
    #expect(!FileManager.default.fileExists(atPath: field.path))
  }

  @Test("who needs what is not there is named with it, and the others run")
  func missing() throws {
    var other = copying("b")
    other.needs = [.program("no-such-program")]
    let result = try race([copying("a"), other]).run(rounds: 1, meter: meter, in: field) { _ in }
    #expect(
      result.lack(of: "b") == .lack("no-such-program not installed; `make bench-deps`"))
    #expect(result.measurements.keys.sorted() == ["a"])
  }

  @Test("who makes other rows is named and does not count")
  func wrong() throws {
    var other = copying("b")
    other.prepare = { trial in
      let connection = try Connection(path: trial.result.path, mode: .own(create: true))
      try connection.execute("CREATE TABLE a (k INTEGER PRIMARY KEY)")
      try connection.close()
    }
    other.command = { _ in ["true"] }
    let result = try race([copying("a"), other]).run(rounds: 2, meter: meter, in: field) { _ in }
    #expect(
      result.lack(of: "b") == .lack("failed, its result differs: a has 0 of 1 rows, equal are 0"))
    #expect(result.measurements["b"] == nil)
    #expect(result.times(of: "a").count == 2)
  }

  @Test("who fails is named with his last words")
  func failing() throws {
    var other = copying("b")
    other.command = { _ in ["sh", "-c", "echo no room >&2; exit 4"] }
    let result = try race([copying("a"), other]).run(rounds: 1, meter: meter, in: field) { _ in }
    #expect(result.lack(of: "b") == .lack("failed, status 4: no room"))
  }

  @Test("ours that fails is no lack of this machine")
  func oursFailing() throws {
    var ours = copying("b")
    (ours.kind, ours.command) = (.ours, { _ in ["false"] })
    let result = try race([copying("a"), ours]).run(rounds: 1, meter: meter, in: field) { _ in }
    #expect(result.lack(of: "b")?.isLack == false)
  }

  @Test("there are no more rounds than a race is worth")
  func mostRounds() throws {
    var race = try race([copying("a")])
    race.mostRounds = 2
    let result = try race.run(rounds: 5, meter: meter, in: field) { _ in }
    #expect(result.times(of: "a").count == 2)
  }

  @Test("what makes no store is not compared")
  func limit() throws {
    var limit = copying("b")
    limit.result = nil
    limit.command = { ["sh", "-c", "echo > '\($0.result.path)'"] }
    let result = try race([limit, copying("a")]).run(rounds: 1, meter: meter, in: field) { _ in }
    #expect(result.missing.isEmpty)
  }

  private let meter = Meter(in: BuiltPrograms.folder)
  private var field: URL { TemporaryFolder.url.appending(path: "field") }

  private func copying(_ name: String) -> Contender {
    Contender(name: name, command: { ["cp", $0.source.path, $0.result.path] })
  }

  private func race(_ contenders: [Contender]) throws -> Race {
    let source = TemporaryFolder.url.appending(path: "source.sqlite")
    let connection = try Connection(path: source.path, mode: .own(create: true))
    try connection.execute("CREATE TABLE a (k INTEGER PRIMARY KEY); INSERT INTO a VALUES (1)")
    try connection.close()
    return Race(
      name: "M0", title: "M0", source: source, baseline: "a", contenders: contenders,
      check: ContentCheck(tables: [.init(name: "a", keys: ["k"])]))
  }
}
