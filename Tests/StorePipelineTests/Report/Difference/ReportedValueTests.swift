import CoreDataStore
import Formats
import StoreMigration
import Testing

@testable import StorePipeline

@Suite("Values as a report shows them")
struct ReportedValueTests {
  @Test("of long texts the part that differs is shown") func windows() throws {
    let old = String(repeating: "a", count: 5_000) + "OLD" + String(repeating: "b", count: 5_000)
    let new = old.replacing("OLD", with: "NEW")
    let report = try DifferenceSample.report([DifferenceSample.text(1, old, new)])
    guard case .text(let shown) = try report.objects.first(1)[0].values[0].new else {
      Issue.record("no text")
      return
    }
    #expect(shown.contains("NEW") && shown.count < 130 && shown.hasPrefix("…"))
  }

  @Test(
    "each kind has its words and its JSON",
    arguments: [
      (ReportedValue.none, "none", "null"), (.hidden, "hidden", #"{"hidden":true}"#),
      (.digest("00ff"), "#00ff", ##"{"sha256":"00ff"}"##), (.boolean(true), "true", "true"),
      (.integer(-7), "-7", "-7"), (.real(0.5), "0.5", "0.5"),
      (.decimal("1.10"), "1.10", #""1.10""#),
      (.date(0), "2001-01-01T00:00:00Z", #"{"date":"2001-01-01T00:00:00Z","seconds":0.0}"#),
      (.text("a\nb"), #""a\nb""#, #""a\nb""#), (.uuid("U"), "U", #""U""#),
      (.lost("F"), "file F is missing", #"{"missing":"F"}"#),
      (.unexpected("unexpected text"), "unexpected text", #"{"unexpected":"unexpected text"}"#),
      (
        .data(bytes: 3, sha256: "0123456789", kind: .png, image: nil),
        "PNG image, 3 B, #01234567", #"{"bytes":3,"sha256":"0123456789"}"#
      ),
    ])
  func kinds(value: ReportedValue, words: String, json: String) {
    #expect(value.words == words)
    #expect(value.json.text() == json)
  }

  @Test("spaces that would not be seen are", arguments: [" a", "a ", "a  b"])
  func spaces(text: String) {
    #expect(ReportedValue.text(text).words.contains("\u{A0}"))
    #expect(ReportedValue.text("a b").words == "\"a b\"")
  }

  @Test("a date with a fraction keeps it, and one beyond all calendars is reported by its seconds")
  func dates() {
    #expect(ReportedValue.date(0.5) == "2001-01-01T00:00:00.500Z")
    #expect(ReportedValue.date(1e15) == "1000000000000000.0 s after 2001")
    #expect(ReportedValue.date(-.infinity) == "-inf s after 2001")
  }

  @Test(
    "a value that is missing stays missing, however much is shown", arguments: ValueDisplay.allCases
  )
  func absent(display: ValueDisplay) throws {
    let report = try DifferenceSample.report(
      [DifferenceSample.changed(1, "title", .value(.null), .value(.string("a")))], display: display)
    #expect(try report.objects.first(1)[0].values[0].old == ReportedValue.none)
    #expect(try report.objects.first(1)[0].values[0].new != ReportedValue.none)
  }

  @Test("equal values have equal digests, others others")
  func digests() throws {
    let report = try DifferenceSample.report(
      [DifferenceSample.text(1, "a", "b"), DifferenceSample.text(2, "b", "a")], display: .hash)
    let values = try report.objects.first(.max).map { $0.values[0] }
    #expect(values[0].old == values[1].new && values[0].new == values[1].old)
    #expect(values[0].old != values[0].new)
  }
}
