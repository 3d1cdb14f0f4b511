import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Model difference report as a page", .temporaryFolder)
struct HTMLModelDifferenceReportTests {
  @Test("names cannot become markup") func escaped() throws {
    var entity = Entity(name: "<script>alert(1)</script>")
    entity.attributes = [Attribute(name: "\"><img src=x onerror='a()'>", type: .string)]
    let model = try Model(name: "a&b</title>", entities: [entity])
    let page = HTMLModelDifferenceReport(ModelDifferenceReport(from: model, to: model)).text
    #expect(
      !page.contains("<script>alert") && !page.contains("<img") && !page.contains("b</title>"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("a&amp;b&lt;/title&gt;"))
  }

  @Test("the page needs nothing from elsewhere") func alone() throws {
    let page = HTMLModelDifferenceReport(try ModelDifferenceReportTests.notes()).text
    #expect(page.contains("default-src 'none'"))
    for word in ["http:", "https:", "url(", "@import", " src=", "<link"] {
      #expect(!page.contains(word))
    }
  }

  @Test("all that happened is described in words too") func words() throws {
    let report = try ModelDifferenceReportTests.notes()
    let page = HTMLModelDifferenceReport(report).text
    for entity in report.difference.entities {
      for property in entity.properties {
        #expect(page.contains("<td>\(entity.name).\(property.name)</td>"))
      }
    }
    #expect(page.contains("<b>Note.priority</b>: Core Data cannot turn String into Integer 16"))
    for word in ["+ added", "&gt; renamed", "~ changed", "! not inferable"] {
      #expect(page.contains(word))
    }
  }

  @Test("what CloudKit does not support and what it does not allow are sections of the page")
  func cloudKit() throws {
    let page = try Self.cloudKitPage("a", "b")
    #expect(page.contains("<h2>What CloudKit does not support</h2>"))
    #expect(page.contains("<b>E.b</b>: it is mandatory and has no default"))
    #expect(page.contains("<h2>Changes that a production schema does not allow</h2>"))
    #expect(page.contains("<b>E.a</b>: a field cannot be removed"))
  }

  @Test("a page says so where CloudKit supports all of it, and is silent unless it is asked")
  func supported() throws {
    #expect(try Self.cloudKitPage().contains("<p>CloudKit supports all of it.</p>"))
    #expect(try !Self.cloudKitPage("a", "b", isAsked: false).contains("CloudKit"))
  }

  /// The page of two versions of an entity, whose mandatory attributes have these names.
  private static func cloudKitPage(
    _ before: String? = nil, _ after: String? = nil, isAsked: Bool = true
  ) throws -> String {
    let (old, new) = try (model(with: before), model(with: after))
    let report = ModelDifferenceReport(from: old, to: new, forCloudKit: isAsked)
    return HTMLModelDifferenceReport(report).text
  }

  private static func model(with attribute: String?) throws -> Model {
    var entity = Entity(name: "E")
    entity.attributes = attribute.map { [Attribute(name: $0, type: .string)] } ?? []
    return try Model(name: "M", entities: [entity])
  }

  @Test(
    "a browser shows it without an error, and its script has run",
    .enabled(if: Browser.program != nil, "install Chromium"), .timeLimit(.minutes(10)))
  func browser() throws {
    let file = TemporaryFolder.url.appending(path: "page.html")
    let report = try ModelDifferenceReportTests.notes()
    try Data(HTMLModelDifferenceReport(report).text.utf8).write(to: file)
    let (page, talk) = try Browser.show(file)
    let complaints = talk.split(separator: "\n").filter { $0.contains("CONSOLE") }
    #expect(complaints.isEmpty)
    // The script's last act is to find a size for the sheets; before it, the controls appear.
    #expect(page.contains("<form class=\"controls\">"))
    #expect(page.contains(/<div class="sheet"[^>]* style="width: \d/))
    for id in ["before-1", "before-3", "after-0", "after-2", "after-3"] {
      #expect(page.contains("id=\"\(id)\""))
    }
    #expect(!page.contains("id=\"before-0\""))
    #expect(page.components(separatedBy: "<g class=\"line").count - 1 == 5 + 8)
  }

  @Test(
    "a script that fails is noticed",
    .enabled(if: Browser.program != nil, "install Chromium"), .timeLimit(.minutes(10)))
  func broken() throws {
    let file = TemporaryFolder.url.appending(path: "page.html")
    try Data("<script>nothing.here()</script>".utf8).write(to: file)
    #expect(try Browser.show(file).talk.contains("CONSOLE"))
  }
}
