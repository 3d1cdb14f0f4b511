import CoreDataStore
import StoreMigration
import Testing

@testable import StorePipeline

@Suite("What tells changes apart")
struct ChangeSignatureTests {
  private func signature(
    _ object: ChangedObject, _ display: ValueDisplay = .short
  ) -> ChangeSignature {
    let reporting = ValueReporting(display: display)
    let values = object.values.map { change in
      let shown = reporting.values(change) { _, _ in nil }
      return ReportedChange(
        attribute: change.attribute, change: change.change, old: shown.old, new: shown.new)
    }
    return ChangeSignature(object, values, display: display)
  }

  @Test("a change of a short value shows it, a long or a hidden one without")
  func values() {
    let short = signature(DifferenceSample.text(1, "a", "b"))
    #expect(short.exact == [#"title: "a" → "b""#] && short.general == ["title changed"])
    let long = signature(DifferenceSample.text(1, "a", String(repeating: "b", count: 30)))
    #expect(long.exact == long.general)
    let hidden = signature(DifferenceSample.text(1, "a", "b"), .hash)
    #expect(hidden.exact == ["title changed"])
  }

  @Test("what appeared and what went")
  func presence() {
    let appeared = signature(DifferenceSample.changed(1, "n", .value(.null), .value(.integer(3))))
    #expect(appeared.exact == ["n set to 3"] && appeared.general == ["n filled in"])
    let gone = signature(DifferenceSample.changed(1, "n", .value(.integer(3)), .value(.null)))
    #expect(gone.exact == ["n emptied"] && gone.general == gone.exact)
    let removed = signature(DifferenceSample.changed(1, "n", .value(.integer(3)), .absent))
    #expect(removed.exact == ["n removed with the attribute"] && removed.general == removed.exact)
  }

  @Test(
    "what links went through",
    arguments: [
      (1, 0, false, "lost links"), (0, 1, false, "gained links"), (1, 1, false, "leads elsewhere"),
      (0, 0, true, "in another order"),
    ])
  func links(lost: Int, gained: Int, isReordered: Bool, words: String) {
    var link = ChangedLink("folder")
    for key in 0..<lost { link.lose(ObjectID(entity: "Folder", key: Int64(key))) }
    for key in 0..<gained { link.gain(ObjectID(entity: "Folder", key: Int64(key))) }
    if isReordered { link.reorder() }
    let note = ObjectID(entity: "Note", key: 1)
    let object = ChangedObject(.changed, source: note, object: note, values: [], links: [link])
    #expect(signature(object).exact == ["folder \(words)"])
  }

  @Test("new objects are reported by what they came from, not by their values")
  func added() {
    let values = [ChangedValue("name", old: .absent, new: .value(.string("a")))]
    let label = ObjectID(entity: "Label", key: 1)
    let note = ObjectID(entity: "Note", key: 1)
    let made = ChangedObject(.added, source: note, object: label, values: values)
    #expect(signature(made).exact == ["added, made from Note"])
    #expect(
      signature(ChangedObject(.added, source: nil, object: label, values: values)).exact
        == ["added"])
    #expect(
      signature(ChangedObject(.removed, source: note, object: nil, values: values)).exact
        == ["removed"])
  }
}
