import CoreDataStore
import Formats
import StorePipeline
import Testing

@Suite("What happened to many stores")
struct FleetSummaryTests {
  private static let busy = Failure(
    .busy, what: "cannot look", subject: "a", why: "It is locked.", remedy: "Wait.")
  private static let damaged = Failure(
    .unusable, what: "cannot look", subject: "b", why: "It is damaged.", remedy: "Restore it.")

  private struct Case: CustomTestStringConvertible {
    var outcomes: [FleetSummary.Outcome]
    var status: Int32
    var testDescription: String { outcomes.map(\.word).joined(separator: ", ") }
  }

  private static let cases = [
    Case(outcomes: [.writtenBefore, .writtenBefore], status: 0),
    Case(outcomes: [.writtenBefore, .failed(busy)], status: 5),
    Case(outcomes: [.failed(busy), .failed(busy)], status: 5),
    Case(outcomes: [.failed(busy), .failed(damaged)], status: 1),
    Case(outcomes: [.failed(damaged), .stopped, .notBegun], status: 3),
    Case(outcomes: [.writtenBefore, .stopped, .notBegun], status: 130),
  ]

  @Test("the status is what the stores that failed have in common", arguments: cases)
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

  @Test("the document has a status and an error for each") func json() throws {
    let text = JSONFleetSummary(Self.summary([.writtenBefore, .failed(Self.busy), .stopped])).text
    let document = try JSONValue(reading: Array(text.utf8))
    #expect(document["format"]?.integer == 1)
    #expect(document["status"]?.integer == 5)
    let stores = try #require(document["stores"]?.array)
    #expect(stores.map { $0["status"]?.integer } == [0, 5, nil])
    #expect(stores.map { $0["store"]?.string } == ["s0", "s1", "s2"])
    #expect(stores[1]["error"]?.string?.contains("It is locked.") == true)
  }

  private static func summary(_ outcomes: [FleetSummary.Outcome]) -> FleetSummary {
    let entries = outcomes.enumerated().map { index, outcome in
      FleetSummary.Entry(FleetStore("s\(index)"), outcome)
    }
    return FleetSummary(entries: entries, seconds: 2)
  }
}
