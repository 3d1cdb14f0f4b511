import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite(
  "Report of two stores in a browser", .temporaryFolder,
  .enabled(if: Browser.program != nil, "install Chromium: make test-deps"))
struct HTMLDifferenceBrowserTests {
  /// Opens a page as a link with `fragment` does, and runs a script of the test's own in it.
  private func open(
    _ report: DifferenceReport, _ fragment: String = "", script: String = ""
  ) throws -> String {
    var page = try HTMLDifferenceReport(report).text
    if !script.isEmpty { page = Browser.adding(script, to: page) }
    let file = TemporaryFolder.url.appending(path: "page.html")
    try Data(page.utf8).write(to: file)
    let url = try #require(URL(string: file.absoluteString + fragment))
    let (shown, talk) = try Browser.show(url)
    #expect(talk.split(separator: "\n").filter { $0.contains("CONSOLE") } == [])
    #expect(shown.contains("data-ready=\"true\""))
    return shown
  }

  private func count(_ page: String) -> String? {
    page.firstMatch(of: /<output id="count">([^<]*)</).map { String($0.1) }
  }

  @Test("it opens, without an error, at its first changes", .timeLimit(.minutes(10)))
  func opens() throws {
    let page = try open(DifferenceSample.everything())
    #expect(count(page) == "445 objects in 7 kinds of change")
    #expect(page.contains("<strong>412 Note</strong>: title trimmed"))
    #expect(page.contains("<form class=\"filters\" role=\"search\""))
    // The diagrams' script has run as well.
    #expect(page.contains(/<div class="sheet"[^>]* style="width: \d/))
  }

  static let filters: [(fragment: String, count: String)] = [
    ("#entity=Folder", "1 object in 1 kind of change"),
    ("#kind=added&kind=removed", "2 objects in 2 kinds of change"),
    ("#property=priority", "28 objects in 1 kind of change"),
    ("#search=title%20411", "1 object in 1 kind of change"),
    ("#entity=Note&search=attic", "Nothing matches."),
    ("#search=trimmed", "412 objects in 1 kind of change"),
  ]

  @Test("filters show what they say", .timeLimit(.minutes(10)), arguments: filters)
  func filtered(fragment: String, expected: String) throws {
    #expect(count(try open(DifferenceSample.everything(), fragment)) == expected)
  }

  @Test("clicks and typing do what they promise", .timeLimit(.minutes(10))) func handled() throws {
    let page = try open(
      DifferenceSample.everything(),
      script: """
        const form = document.querySelector(".filters"), said = [];
        const count = document.getElementById("count");
        const say = (what) => said.push(`${what}=${count.textContent}`);
        const change = (field, value) => {
          form.elements[field].value = value;
          form.elements[field].dispatchEvent(new Event("change", { bubbles: true }));
        };
        change("entity", "Note"); say("entity");
        said.push([...form.elements.property.options].map((one) => one.value).join());
        change("property", "title"); say("property");
        const rows = () => document.querySelectorAll(".group[open] tbody").length;
        said.push(rows());
        document.querySelector(".foot button").click();
        said.push(rows(), document.activeElement.textContent);
        const first = document.querySelector(".group tbody");
        said.push(first.querySelector("th").textContent);
        said.push([...first.querySelectorAll("del")].map((one) => `[${one.textContent}]`).join());
        form.querySelector("[value=changed]").click(); say("none");
        document.documentElement.dataset.said = said.join("|");
        """)
    let said = page.firstMatch(of: /data-said="([^"]*)"/).map { String($0.1) }
    #expect(
      said == "entity=443 objects in 5 kinds of change|,created,folder,picture,priority,title|"
        + "property=412 objects in 1 kind of change|20|40|Show 20 more|Note 1|[  ],[ ]|"
        + "none=Nothing matches.")
  }

  @Test("columns sort, and the box filters the tables too", .timeLimit(.minutes(10)))
  func sorted() throws {
    var report = try DifferenceSample.everything()
    report.sections = [
      .init(
        title: "Sizes", columns: ["Property", "Count"],
        rows: [["Note.a", "9"], ["Note.b", "1,000"], ["Folder.c", "20"]])
    ]
    let page = try open(
      report,
      script: """
        const said = [], all = (what) => [...document.querySelectorAll(what)];
        const table = all("section").find((one) => one.textContent.includes("Sizes"))
          .querySelector("table");
        const rows = () => [...table.tBodies[0].rows].filter((row) => !row.hidden)
          .map((row) => row.cells[0].textContent).join();
        const click = (column) => table.tHead.rows[0].cells[column].firstChild.click();
        click(1); said.push(rows(), table.querySelector("[aria-sort]").ariaSort);
        click(1); said.push(rows());
        click(0); said.push(rows());
        const form = document.querySelector(".filters");
        form.elements.entity.value = "Folder";
        form.elements.entity.dispatchEvent(new Event("change", { bubbles: true }));
        said.push(rows(), all(".shown").length > 0);
        form.elements.entity.value = "";
        form.elements.entity.dispatchEvent(new Event("change", { bubbles: true }));
        form.elements.property.value = "title";
        form.elements.property.dispatchEvent(new Event("change", { bubbles: true }));
        const first = () => document.querySelector(".group[open] tbody th").textContent;
        const sort = (name) => [...document.querySelectorAll(".group[open] .sort")]
          .find((button) => button.textContent === name).click();
        sort("Object"); said.push(first()); sort("Object"); said.push(first());
        sort("After"); said.push(first()); sort("After"); said.push(first());
        document.documentElement.dataset.said = said.join("|");
        """)
    let said = page.firstMatch(of: /data-said="([^"]*)"/).map { String($0.1) }
    #expect(
      said == "Note.b,Folder.c,Note.a|descending|Note.a,Folder.c,Note.b|Folder.c,Note.a,Note.b|"
        + "Folder.c|true|Note 1|Note 412|Note 1|Note 412")
  }

  @Test("the page of a run opens, with what happened to every value", .timeLimit(.minutes(10)))
  func run() async throws {
    let sample = try RunSample()
    var options = RunOptions()
    options.dryRun = DryRun()
    let findings = try await Run(sample.plan(), store: sample.store, options: options).findings()
    let page = try open(#require(findings.report))
    #expect(count(page) == "3 objects in 3 kinds of change")
    #expect(page.contains("<h1>What the migration would change</h1>"))
    let lost = try #require(page.range(of: "<h2>What is lost</h2>"))
    let changes = try #require(page.range(of: "<h2 id=\"changes-title\""))
    let every = try #require(page.range(of: "<h2>What happened to every value</h2>"))
    #expect(lost.lowerBound < changes.lowerBound && changes.lowerBound < every.lowerBound)
    #expect(page.contains("3 of 21 values and links are lost"))
    #expect(page.contains("<meta name=\"run\" content=\"\(findings.summary.run)\">"))
    #expect(page.contains("was only read: it and all that lies next to it are as they were."))
  }

  @Test("hostile values stay texts", .timeLimit(.minutes(10))) func hostile() throws {
    let objects = DifferenceSample.hostile.enumerated().map { number, value in
      DifferenceSample.text(Int64(number), value, "b\(value)")
    }
    let page = try open(DifferenceSample.report(objects))
    #expect(page.contains("&lt;/script&gt;&lt;script&gt;"))
    #expect(page.contains("<title>What is different"))
  }

  @Test("100,000 changes open", .timeLimit(.minutes(10))) func many() throws {
    let objects = (1...100_000).map { number in
      DifferenceSample.text(Int64(number), "Title of note \(number)", "Note \(number)")
    }
    let report = try DifferenceSample.report(objects)
    #expect(report.objects.count == 100_000)
    let page = try open(report, "#search=note%2099999")
    #expect(count(page) == "1 object in 1 kind of change")
    #expect(page.contains("Note 99999"))
  }
}
