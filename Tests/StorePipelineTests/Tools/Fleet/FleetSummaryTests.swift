import CoreDataStore
import Formats
import Foundation
@testable import StorePipeline
import StoreReplacement
import Testing

@Suite("What happened to many stores")
struct FleetSummaryTests {
  private static let busy = Failure(
    .busy, what: "cannot look", subject: "a", why: "It is locked.", remedy: "Wait.")
  private static let damaged = Failure(
    .unusable, what: "cannot look", subject: "b", why: "It is damaged.", remedy: "Restore it.")

  private static let full = Failure(
    .refused, what: "cannot copy", subject: "c", why: "The disk is full.", remedy: "Free it.")
  private static let wrong = Failure(
    .misuse, what: "cannot plan", subject: "d", why: "No model.", remedy: "Name one.")

  private struct Case: CustomTestStringConvertible {
    var outcomes: [FleetSummary.Outcome]
    var status: Int32
    var testDescription: String { outcomes.map(\.word).joined(separator: ", ") }
  }

  private static let cases = [
    Case(outcomes: [.writtenBefore, .writtenBefore], status: 0),
    Case(outcomes: [.writtenBefore, .failed(busy)], status: 5),
    Case(outcomes: [.failed(busy), .failed(busy)], status: 5),
    Case(outcomes: [.failed(busy), .failed(damaged)], status: 5),
    Case(outcomes: [.failed(damaged), .failed(busy), .failed(full)], status: 4),
    Case(outcomes: [.failed(damaged), .failed(wrong)], status: 1),
    Case(outcomes: [.failed(damaged), .stopped, .notBegun], status: 3),
    Case(outcomes: [.writtenBefore, .stopped, .notBegun], status: 130),
  ]

  @Test(
    "the status is one that is worth another try, or what the stores that failed have in common",
    arguments: cases)
  private func status(case: Case) {
    #expect(Self.summary(`case`.outcomes).status == `case`.status)
  }

  @Test("the table has the reason of each that failed, and counts") func text() {
    let summary = Self.summary([.writtenBefore, .failed(Self.damaged), .notBegun])
    #expect(
      TextFleetSummary(summary).text == """
        store  status  outcome         objects
        s0          0  written before        -
        s1          3  failed                -  It is damaged.
        s2          -  not begun             -

        3 stores, 0:02: 1 done, 1 failed, 1 left; the same command takes them up
        """)
  }

  @Test("the table has the reason, not the rest of a path with a line end") func lineEnd() {
    let failure = Failure(
      .unusable, what: "cannot look", subject: "a\nb", why: "It is damaged.", remedy: "Restore it.")
    let lines = TextFleetSummary(Self.summary([.failed(failure)])).text.split(separator: "\n")
    #expect(lines.contains("s0          3  failed         -  It is damaged."))
  }

  @Test("the table has what is wrong in a script, and not its line") func script() {
    let words = "a.lua:5: Note has no 'author'\n    5 | note.author\n  while running\n  Correct it."
    let error = FleetSummary.Outcome.Kept(status: 2, description: words)
    let lines = TextFleetSummary(Self.summary([.failed(error)])).text.split(separator: "\n")
    #expect(lines.contains("s0          2  failed         -  a.lua:5: Note has no 'author'"))
  }

  @Test("of many stores the table has those that failed, and counts; all of them on request")
  func short() {
    let done = [FleetSummary.Outcome](repeating: .writtenBefore, count: 30)
    let summary = Self.summary(
      done + [.failed(Self.damaged), .stopped] + Array(repeating: .notBegun, count: 3))
    #expect(
      TextFleetSummary(summary).text == """
        store  status  outcome      objects
        s30         3  failed             -  It is damaged.
        s31         -  interrupted        -
          30  written before
           3  not begun
           1  failed
           1  interrupted
        --all lists every store

        35 stores, 0:02: 30 done, 1 failed, 4 left; the same command takes them up
        """)
    let all = TextFleetSummary(summary, listsAll: true).text.split(separator: "\n")
    #expect(all.count == 1 + 35 + 1)
    let failed = Self.summary([FleetSummary.Outcome](repeating: .failed(Self.damaged), count: 45))
    let lines = TextFleetSummary(failed).text.split(separator: "\n")
    #expect(lines.count { $0.contains("It is damaged.") } == TextFleetSummary.most)
    #expect(lines.contains("and 25 more; --all lists every store"))
  }

  @Test("a long reason that several stores share stands there once") func shared() throws {
    let why = "None of the versions has its hashes: " + String(repeating: "Note is. ", count: 9)
    let foreign = Failure(
      .unusable, what: "cannot plan", subject: "/s", why: why, remedy: "Name the models.")
    let failed = [foreign, Self.damaged, foreign, Self.damaged]
    let summary = Self.summary(failed.map { .failed($0) })
    let lines = TextFleetSummary(summary).text.split(separator: "\n")
    #expect(lines.count { $0.contains("None of the versions") } == 1)
    #expect(lines.contains("s2          3  failed         -  as s0"))
    #expect(lines.count { $0.contains("It is damaged.") } == 2)
  }

  @Test("of many stores that are all done the table has counts alone") func shortest() {
    let done = [FleetSummary.Outcome](repeating: .writtenBefore, count: 21)
    #expect(
      TextFleetSummary(Self.summary(done)).text == """
          21  written before
        --all lists every store

        21 stores, 0:02: 21 done
        """)
  }

  @Test("the document has a status and an error for each") func json() throws {
    let text = JSONFleetSummary(Self.summary([.writtenBefore, .failed(Self.busy), .stopped])).text
    let document = try JSONValue(reading: Array(text.utf8))
    #expect(document["format"]?.integer == 1)
    #expect(document["status"]?.integer == 5)
    let stopped = JSONFleetSummary(Self.summary([.failed(Self.busy), .stopped]), stopped: 143).text
    #expect(try JSONValue(reading: Array(stopped.utf8))["status"]?.integer == 143)
    let stores = try #require(document["stores"]?.array)
    #expect(stores.map { $0["status"]?.integer } == [0, 5, nil])
    #expect(stores.map { $0["store"]?.string } == ["s0", "s1", "s2"])
    let here = FileManager.default.currentDirectoryPath
    #expect(stores.map { $0["path"]?.string } == ["s0", "s1", "s2"].map { "\(here)/\($0)" })
    #expect(stores[1]["error"]?.string?.contains("It is locked.") == true)
    #expect(stores.allSatisfy { $0["host"]?.string?.isEmpty == false && $0["inode"] == .null })
  }

  @Test("what is kept on the disk meanwhile is reported as if it had been in memory")
  func kept() throws {
    let outcomes: [RunSummary.Outcome] = [
      .swapped, .written("/o\u{7}"), .staged("s"), .stopped(after: "copy"), .running, .upToDate,
      .dryRun(kept: nil), .dryRun(kept: "k"), .invalid,
    ]
    let runs = outcomes.enumerated().map { place, outcome in
      var run = RunSummary(
        run: "r\(place)", store: "s", source: "A", target: "B \u{1}", outcome: outcome,
        digests: PlanDigests(pipeline: "p", scripts: [], models: "m"))
      run.entities = ["X", "Y"].map { .init(name: $0, how: "copied", objectsBefore: 1 << 40) }
      (run.warnings, run.failureCount, run.bytes) = (["one\n", "two"], place, .max)
      run.backup = place == 0 ? "/b" : nil
      return FleetSummary.Outcome.ran(run)
    }
    let all = runs + [.failed(Self.busy), .failed(CancellationError()), .writtenBefore, .notBegun]
    let plain = Self.summary(all)
    let list = DiskList()
    var entries = Self.summary(all.map { _ in .notBegun }).entries
    for place in entries.indices.reversed() { entries[place].keep(plain.entries[place], in: list) }
    let kept = FleetSummary(entries: entries, seconds: 2)
    #expect(list.count > 0)
    #expect(kept.status == plain.status)
    #expect(kept.entries.map(\.status) == plain.entries.map(\.status))
    #expect(JSONFleetSummary(kept).text == JSONFleetSummary(plain).text)
    #expect(TextFleetSummary(kept).text == TextFleetSummary(plain).text)
  }

  @Test("the document of no store is one, too") func empty() throws {
    let text = JSONFleetSummary(Self.summary([])).text
    #expect(try JSONValue(reading: Array(text.utf8))["stores"]?.array?.isEmpty == true)
  }

  private static func summary(_ outcomes: [FleetSummary.Outcome]) -> FleetSummary {
    let entries = outcomes.enumerated().map { index, outcome in
      FleetSummary.Entry(FleetStore("s\(index)"), outcome)
    }
    return FleetSummary(entries: entries, seconds: 2)
  }
}
