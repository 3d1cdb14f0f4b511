import CoreDataStore
import Formats
import StoreMigration
import StorePipeline
import Testing

@Suite("What a report holds")
struct DifferenceCollectorTests {
  @Test("a report does not grow with the stores, and keeps some of each group") func limited()
    throws
  {
    var limits = DifferenceCollector.Limits()
    limits.objects = 10
    limits.perGroup = 3
    let objects =
      (1...100).map { DifferenceSample.text($0, " a", "a") }
      + (101...200).map { DifferenceSample.text($0, "a", "A") }
    let report = try DifferenceSample.report(objects, limits: limits)
    #expect(report.objects.count == 13)
    #expect(report.groups.map(\.count) == [100, 100])
    #expect(report.changeCount == 200)
  }

  @Test("pictures are asked for only where they may be seen")
  func contentLimit() {
    let readable = DifferenceCollector(display: .short)
    #expect(readable.contentLimit(showsImages: true) == DifferenceCollector.Limits().image)
    #expect(readable.contentLimit(showsImages: false) == 0)
    for display in [ValueDisplay.hash, .none] {
      #expect(DifferenceCollector(display: display).contentLimit(showsImages: true) == 0)
    }
  }

  @Test("where values are hidden, Core Data's own entries are reported by kind, hashes by entity")
  func metadata() throws {
    let entries = [
      ChangedMetadata(key: "mine", old: .string("a"), new: .string("b"), isApplications: true),
      ChangedMetadata(
        key: "NSStoreModelVersionHashes",
        old: .dictionary(["Note": .data([1]), "Folder": .data([2])]),
        new: .dictionary(["Note": .data([3]), "Folder": .data([2])]), isApplications: false),
    ]
    let hidden = try DifferenceSample.report([], display: .hash, metadata: entries)
    #expect(hidden.metadata[0].old == hidden.metadata[0].new)
    let shown = try DifferenceSample.report([], metadata: entries)
    #expect(shown.metadata[0].old == "\"a\"" && shown.metadata[0].new == "\"b\"")
    #expect(shown.metadata[1].new == "of 2 entities, other ones of Note")
  }
}
