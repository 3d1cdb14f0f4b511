import CoreDataStore
import Formats
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Report of two stores")
struct DifferenceReportTests {
  private func words(_ objects: [ChangedObject], _ display: ValueDisplay = .short) -> [String] {
    DifferenceSample.report(objects, display: display).groups.map { "\($0.count) \($0.words)" }
  }

  @Test("what a text went through is told in words")
  func rules() {
    let cases = [
      ("  a b ", "a b", "title trimmed"), ("Abc", "ABC", "title in upper case"),
      ("Abc", "abc", "title in lower case"), ("abC", "Abc", "title with other capitals"),
      ("a  b", "a b", "title with other white space"), ("abc", "ab", "title cut short"),
      ("abc", "", "title made an empty text"),
      ("caf\u{E9}", "cafe\u{301}", "title normalised (the same characters, made up otherwise)"),
      ("a", "b", "title: \"a\" → \"b\""),
    ]
    for (old, new, told) in cases {
      #expect(words([DifferenceSample.text(1, old, new)]) == ["1 \(told)"])
    }
  }

  @Test("identical changes are one group, whatever the values") func grouped() throws {
    let report = try DifferenceSample.everything()
    let told = report.groups.map { "\($0.entity) \($0.change) \($0.count): \($0.words)" }
    #expect(told.contains("Note changed 412: title trimmed"))
    #expect(told.contains("Note changed 28: priority: \"high\" → 1"))
    #expect(told.contains("Note changed 1: picture emptied"))
    #expect(told.contains("Note changed 1: folder leads elsewhere"))
    #expect(told.contains("Folder removed 1: removed"))
    #expect(told.contains("Label added 1: added, made from Note"))
    #expect(report.changeCount == 445)
  }

  @Test("single changes with values of their own are one group too") func folded() {
    let objects = (1...500).map { DifferenceSample.text($0, "a\($0)", "b\($0)") }
    #expect(words(objects) == ["500 title changed"])
    let few = objects + (501...520).map { DifferenceSample.text($0, "x", "y") }
    #expect(words(few) == ["500 title changed", "20 title: \"x\" → \"y\""])
  }

  @Test("each object belongs to the group that is told") func membership() {
    let objects =
      (1...300).map { DifferenceSample.text($0, "a\($0)", "b\($0)") }
      + (301...310).map { DifferenceSample.text($0, "x", "y") }
    let report = DifferenceSample.report(objects)
    for (number, group) in report.groups.enumerated() {
      #expect(report.objects.count { $0.group == number } == group.count)
    }
  }

  @Test("a report does not grow with the stores, and keeps some of each group") func limited() {
    var limits = DifferenceCollector.Limits()
    limits.objects = 10
    limits.perGroup = 3
    let objects =
      (1...100).map { DifferenceSample.text($0, " a", "a") }
      + (101...200).map { DifferenceSample.text($0, "a", "A") }
    let report = DifferenceSample.report(objects, limits: limits)
    #expect(report.objects.count == 13)
    #expect(report.groups.map(\.count) == [100, 100])
    #expect(report.changeCount == 200)
  }

  @Test("hidden values are nowhere", arguments: [ValueDisplay.none, .hash])
  func hidden(display: ValueDisplay) throws {
    let objects = [
      DifferenceSample.text(1, "secret old", "secret new"),
      DifferenceSample.text(2, " secret ", "secret"),
      DifferenceSample.changed(3, "title", .value(.null), .value(.string("secret"))),
      DifferenceSample.changed(4, "picture", DifferenceSample.picture(), .lost(name: "secret")),
      DifferenceSample.changed(5, "count", .value(.integer(4_711)), .value(.integer(4_712))),
    ]
    let report = DifferenceSample.report(
      objects, display: display,
      metadata: [
        ChangedMetadata(key: "a", old: .string("secret"), new: nil, isApplications: true)
      ])
    let texts = [
      HTMLDifferenceReport(report).text, MarkdownDifferenceReport(report).text,
      JSONDifferenceReport(report, limit: 100).text,
      TextDifferenceReport(report, limit: 100, width: 100, style: Style(isOn: false)).text,
    ]
    for text in texts {
      #expect(!text.contains("secret") && !text.contains("471"))
      #expect(!text.contains("data:image"))
    }
  }

  @Test("of long texts the part that differs is shown") func windows() {
    let old = String(repeating: "a", count: 5_000) + "OLD" + String(repeating: "b", count: 5_000)
    let new = old.replacing("OLD", with: "NEW")
    let report = DifferenceSample.report([DifferenceSample.text(1, old, new)])
    guard case .text(let shown) = report.objects[0].values[0].new else {
      Issue.record("no text")
      return
    }
    #expect(shown.contains("NEW") && shown.count < 130 && shown.hasPrefix("…"))
  }

  @Test("the verdict says in one sentence what happened") func verdict() throws {
    #expect(
      try DifferenceSample.everything().verdict
        == "Of 3,444 objects, 3,000 are the same, 443 have other values or links and 1 is gone. "
        + "1 object is new. 2 were set aside.")
    #expect(DifferenceSample.report([]).verdict.contains("the same objects"))
  }
}
