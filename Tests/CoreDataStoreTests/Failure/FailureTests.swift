import CoreDataStore
import Testing

@Suite("Failure")
struct FailureTests {
  private static let error = Failure(readingModel: "line 3", why: "It is so.")

  @Test("it says what was done, to what, why it failed and what to do") func description() {
    #expect(
      Self.error.description
        == "cannot read the model: line 3\nIt is so.\nCheck the file, or take another copy of it.")
  }

  @Test("a path with a line end is on one line, so that the reason stands on the second")
  func lineEnds() {
    let error = Failure(
      .unusable, what: "cannot open it", subject: "a\nb\u{1B}c", why: "So.", remedy: "")
    #expect(error.description.hasPrefix("cannot open it: a\\nb\\u{1B}c\nSo.\n"))
    #expect(error.sentence.hasPrefix("cannot open it: a\\nb\\u{1B}c. So."))
    #expect(error.subject == "a\nb\u{1B}c")
  }

  @Test("a place is reported with its file, and a file alone without a place") func inside() {
    #expect(Self.error.inside("a.mom").subject == "a.mom: line 3")
    #expect(Failure(readingModel: "", why: "").inside("a.mom").subject == "a.mom")
  }

  @Test("a refusal of the machine stays one, with its own advice") func refusal() {
    let error = Failure.refused(readingModel: "", why: "No.").inside("a.mom")
    #expect(error.kind == .refused && error.remedy.contains("permissions"))
    #expect(Self.error.kind == .unusableModel)
  }
}
