import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("A plan as a page", .temporaryFolder)
struct HTMLPlanReportTests {
  private func page(_ plan: Plan, store: String? = "Notes.sqlite") -> String {
    HTMLPlanReport(plan, store: store).text
  }

  @Test("the page needs nothing from elsewhere") func alone() throws {
    let page = page(try PlanFolder.notes().plan(store: "Notes.sqlite"))
    #expect(page.contains("default-src 'none'") && !page.contains("script-src 'unsafe-inline'"))
    for word in ["http:", "https:", "url(", "@import", " src=", "<link", "innerHTML"] {
      #expect(!page.contains(word))
    }
  }

  @Test("what would be lost is read first, with the counts of the store") func losses() throws {
    let page = page(try PlanFolder.notes().plan(store: "Notes.sqlite"))
    let lost = try #require(page.range(of: "<h2>What would be lost</h2>"))
    let step = try #require(page.range(of: "<section class=\"step\">"))
    #expect(lost.lowerBound < step.lowerBound)
    #expect(page.contains("<td data-label=\"Property\">Note.done</td>"))
    #expect(page.contains("<strong>3</strong> values lost"))
    #expect(page.contains("It can run. What would be lost is given up."))
    #expect(page.contains("3 objects, 8.2 kB, scripted"))
  }

  @Test("what is not given up stops the run, and the page says where") func undeclared() throws {
    let plan = try PlanFolder.notes().plan(
      PlanFolder.notesText(#"stage "copy" {}"#), store: "Notes.sqlite")
    let page = page(plan)
    #expect(page.contains("to settle before it can run"))
    #expect(page.contains("<h2>What is wrong</h2>"))
    #expect(page.contains("no: see what is wrong"))
  }

  @Test("scripts stand in the margin, with what they read and fill in") func scripts() throws {
    let page = page(try PlanFolder.notes().plan(store: "Notes.sqlite"))
    let margin = try #require(page.firstMatch(of: /<aside class="margin">[\s\S]*?<\/aside>/)).0
    #expect(margin.contains("notes_priority.lua"))
    #expect(margin.contains("priority from priority"))
  }

  @Test("every property of both versions is there in words") func words() throws {
    let plan = try PlanFolder.notes().plan(store: "Notes.sqlite")
    let page = page(plan)
    let step = try #require(plan.steps.first)
    for (model, entities) in [
      (step.from, step.entities.compactMap(\.source)),
      (step.to, step.entities.compactMap(\.target)),
    ] {
      for name in entities {
        let entity = try #require(model.entity(named: name))
        for property in model.allAttributes(of: entity) {
          #expect(page.contains("\(name).\(property.name)"), "\(name).\(property.name)")
        }
      }
    }
  }

  @Test("without a store nothing is counted") func storeless() throws {
    let page = page(try PlanFolder.notes().plan(), store: nil)
    #expect(page.contains("not counted") && !page.contains("class=\"tiles\""))
  }

  @Test("a store that is of the version already has nothing to draw") func current() throws {
    let text = PlanFolder.notesText(#"stage "copy" {}"#, header: #"target = "Notes""#)
    let plan = try PlanFolder.notes().plan(text, store: "Notes.sqlite")
    try #require(plan.isCurrent)
    let page = page(plan)
    #expect(page.contains("Nothing to do: the store is of this version already."))
    #expect(!page.contains("class=\"lane") && !page.contains("<form"))
  }

  @Test("names cannot become markup", arguments: DifferenceSample.hostile)
  func escaped(name: String) throws {
    let text = PlanFolder.notesText(#"stage "copy" { drop { "Note.done" } }"#)
    let plan = try PlanFolder.notes().plan(text, store: "Notes.sqlite")
    let page = page(plan, store: name)
    #expect(page.components(separatedBy: "<script").count == 3)
    for markup in ["<!--", "<img", "'><b>", "\u{1B}", "\0"] {
      #expect(!page.contains(markup), "\(markup) is in the page")
    }
  }
}
