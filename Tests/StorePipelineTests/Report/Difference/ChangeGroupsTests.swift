import CoreDataStore
import StoreMigration
import StorePipeline
import Testing

@Suite("Groups of changes")
struct ChangeGroupsTests {
  private func words(
    _ objects: [ChangedObject], _ display: ValueDisplay = .short
  ) throws -> [String] {
    try DifferenceSample.report(objects, display: display).groups.map { "\($0.count) \($0.words)" }
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

  @Test("single changes with values of their own are one group too") func folded() throws {
    let objects = (1...500).map { DifferenceSample.text($0, "a\($0)", "b\($0)") }
    #expect(try words(objects) == ["500 title changed"])
    let few = objects + (501...520).map { DifferenceSample.text($0, "x", "y") }
    #expect(try words(few) == ["500 title changed", "20 title: \"x\" → \"y\""])
  }

  @Test("each object belongs to the group that is reported") func membership() throws {
    let objects =
      (1...300).map { DifferenceSample.text($0, "a\($0)", "b\($0)") }
      + (301...310).map { DifferenceSample.text($0, "x", "y") }
    let report = try DifferenceSample.report(objects)
    for (number, group) in report.groups.enumerated() {
      #expect(try report.objects.first(.max).count { $0.group == number } == group.count)
    }
  }

  @Test(
    "changed objects come first, then those that went, then new ones; large groups before small")
  func order() throws {
    let report = try DifferenceSample.everything()
    #expect(report.groups.map(\.entity) == report.groups.map(\.entity).sorted())
    let notes = report.groups.filter { $0.entity == "Note" && $0.change == .changed }
    #expect(notes.map(\.count) == notes.map(\.count).sorted(by: >))
    #expect(ChangedObject.Change.allCases.map(\.symbol) == ["+", "-", "~"])
  }

  @Test("of a change with many values only those that come often are reported with them")
  func mostExact() throws {
    let objects = (0..<200).map { DifferenceSample.text($0, "a\($0 % 100)", "b\($0 % 100)") }
    let told = try words(objects)
    #expect(told.filter { $0.hasPrefix("2 title: ") }.count == 12)
    #expect(told.contains("176 title changed"))
  }
}
