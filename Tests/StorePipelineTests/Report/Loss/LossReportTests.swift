import CoreDataStore
import StoreMigration
import StorePipeline
import Testing

@Suite("Reports of what was lost")
struct LossReportTests {
  private func loss(
    _ property: String, _ fate: PropertyLoss.Fate = .kept, isRelationship: Bool = false,
    of values: Int, arrived: Int, changed: Int = 0, gone: Int = 0,
    _ more: (inout PropertyLoss) -> Void = { _ in }
  ) -> PropertyLoss {
    var loss = PropertyLoss(
      entity: "Note", property: property, isRelationship: isRelationship, fate: fate)
    (loss.values, loss.arrived, loss.changed, loss.gone) = (values, arrived, changed, gone)
    more(&loss)
    return loss
  }

  @Test("nothing lost is said as what was counted") func nothing() {
    let report = LossReport([.init(loss("title", of: 12, arrived: 12))])
    #expect(
      report.verdict == "0 of 12 values and links are lost: each was looked for in the new store.")
    #expect(report.section(isShort: true).rows.isEmpty)
    #expect(report.section(isShort: true).note.hasSuffix("1 other property arrived whole."))
    #expect(report.section().rows == [["Note.title", "kept", "12", "12", "0", ""]])
  }

  @Test("what is not given up is distinguished from what is") func undeclared() {
    let dropped = LossReport.Line(
      loss("done", .dropped, of: 3, arrived: 0), declared: "notes.pipeline:10")
    let broken = LossReport.Line(loss("title", of: 9, arrived: 7, changed: 1, gone: 1))
    #expect(LossReport([dropped]).verdict.contains("3 of 3 values and links are lost, all of them"))
    #expect(LossReport([broken]).verdict.contains("2 of 9 values and links are lost, none of them"))
    #expect(LossReport([dropped, broken]).verdict.contains("5 of 12"))
    #expect(LossReport([dropped, broken]).verdict.contains(", 2 of them not given up"))
    #expect(dropped.words == "removed with the attribute; given up: notes.pipeline:10")
    #expect(broken.words == "1 changed; 1 gone with objects")
  }

  @Test("what a script was given is neither lost nor said to be there") func scripted() {
    let report = LossReport([
      .init(
        loss("image", .scripted, of: 5, arrived: 4) {
          $0.places = [PropertyReference("Photo", "data")]
        })
    ])
    #expect(report.lost == 0)
    #expect(
      report.verdict.hasSuffix(
        " Scripts were given 5, of which 4 are found as they were."))
    #expect(report.lines[0].words == "given to a script, found in Photo.data")
  }

  @Test("links are counted once, and those that led nowhere are no loss") func links() {
    let here = loss("folder", isRelationship: true, of: 4, arrived: 4) { $0.dangling = 1 }
    let there = loss("notes", isRelationship: true, of: 4, arrived: 4) { $0.isCountedHere = false }
    let report = LossReport([.init(here), .init(there)])
    #expect(report.values == 4)
    #expect(report.lines[0].words == "1 led nowhere before")
    #expect(report.section(isShort: true).rows.count == 1)
  }
}
