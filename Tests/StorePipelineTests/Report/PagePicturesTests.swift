import Foundation
import StoreMigration
import TestSupport
import Testing

@testable import StorePipeline

/// Each page in a real browser, on a screen and a phone, in the light, in the dark and on paper.
///
/// `PIPELINE_PICTURES=FOLDER` keeps the pictures.
@Suite(
  "The pages as a reader sees them", .temporaryFolder,
  .enabled(if: Browser.program != nil, "install Chromium: make test-deps"))
struct PagePicturesTests {
  enum Page: String, CaseIterable {
    case difference, plan, models
  }

  enum Look: String, CaseIterable {
    case light, dark, phone, print
  }

  @Test(
    "nothing is cut without a hint, and every text stands out from its background",
    .timeLimit(.minutes(10)), arguments: Page.allCases, [Look.light, .dark, .phone])
  func readable(page: Page, look: Look) throws {
    let file = try write(Browser.adding(Self.probe, to: text(of: page)), look)
    let (shown, talk) = try Browser.show(file, isDark: look == .dark)
    #expect(talk.split(separator: "\n").filter { $0.contains("CONSOLE") } == [])
    let seen = try #require(shown.firstMatch(of: /data-width="(\d+)" data-dark="(\w+)"/))
    #expect(look != .phone || seen.1 == "400")
    #expect(seen.2 == "\(look == .dark)")
    let found = try #require(shown.firstMatch(of: /data-found="([^"]*)"/)).1
    #expect(found == "")
  }

  @Test("each has its picture", .timeLimit(.minutes(10)), arguments: Page.allCases)
  func pictures(page: Page) throws {
    let text = try text(of: page)
    var pictures: [Look: Data] = [:]
    for look in Look.allCases {
      let file = try write(text, look)
      let picture =
        try look == .print
        ? Browser.print(file)
        : Browser.picture(
          of: file, width: look == .phone ? 500 : 1280, height: look == .phone ? 2600 : 1800,
          isDark: look == .dark)
      pictures[look] = picture
      try keep(picture, "\(page)-\(look).\(look == .print ? "pdf" : "png")")
    }
    #expect(pictures[.print]?.starts(with: Array("%PDF".utf8)) == true)
    #expect(pictures[.light]?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    #expect(pictures[.light] != pictures[.dark])
  }

  @Test("what is cut, and what cannot be read, is found", .timeLimit(.minutes(10)))
  func noticed() throws {
    let page = """
      <meta http-equiv="Content-Security-Policy" content="script-src 'none'"><body>
      <div style="width: 90px; overflow: hidden; white-space: nowrap">a text that is cut here</div>
      <p style="color: #ddd; background: #fff">a faint text</p></body>
      """
    let file = try write(Browser.adding(Self.probe, to: page), .light)
    let found = try Browser.show(file).page.firstMatch(of: /data-found="([^"]*)"/)?.1
    #expect(found?.contains("cut div") == true && found?.contains("faint p") == true)
  }

  private func text(of page: Page) throws -> String {
    switch page {
    case .models: return HTMLModelDifferenceReport(try ModelDifferenceReportTests.notes()).text
    case .plan:
      let plan = try PlanFolder.notes().plan(store: "Notes.sqlite")
      return HTMLPlanReport(plan, store: "Notes.sqlite").text
    case .difference:
      var report = try DifferenceSample.everything()
      var done = PropertyLoss(
        entity: "Note", property: "done", isRelationship: false, fate: .dropped)
      done.values = 3
      report.losses = LossReport([.init(done)])
      return try HTMLDifferenceReport(report).text
    }
  }

  /// The page as a file; for a phone in a frame of 400 pixels, as a window is wider at least.
  private func write(_ text: String, _ look: Look) throws -> URL {
    let frame = """
      <!DOCTYPE html><html><body style="margin: 0"><iframe width="400" height="2600" \
      style="border: 0" srcdoc="\(text.html)"></iframe></body></html>
      """
    let file = TemporaryFolder.url.appending(path: "page.html")
    try Data((look == .phone ? frame : text).utf8).write(to: file)
    return file
  }

  private func keep(_ picture: Data, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["PIPELINE_PICTURES"] else { return }
    let url = URL(filePath: folder)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try picture.write(to: url.appending(path: name))
  }

  /// Looks for what is cut off, and for texts with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3).
  private static let probe = """
    (() => {
      const found = [];
      const name = (one) => `${one.tagName.toLowerCase()} ${one.getAttribute("class") || ""} `
        + one.textContent.trim().slice(0, 30).replaceAll('"', "'");
      const isSeen = (one) => one.checkVisibility() && !one.closest(".unseen, .skip, svg, select");
      const isHinted = (one, style) => {
        const before = one.previousElementSibling;
        return before && before.classList.contains("wider")
          || style.textOverflow === "ellipsis" && one.closest("[title]");
      };
      const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
      const light = (color) => {
        const [r, g, b] = color.slice(0, 3).map((part) => part / 255)
          .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (one) => {
        for (let at = one; at; at = at.parentElement) {
          const [r, g, b, a = 1] = numbers(getComputedStyle(at).backgroundColor);
          if (a > 0.99) return [r, g, b];
        }
        return [255, 255, 255];
      };
      for (const one of document.querySelectorAll("body *")) {
        // A sheet is as large as its canvas is drawn, and its frame is looked at.
        if (!isSeen(one) || one.tagName === "INPUT" || one.matches(".sheet")) continue;
        const style = getComputedStyle(one);
        const isCut = style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
        if (isCut && !isHinted(one, style)) found.push(`cut ${name(one)}`);
        const hasText = [...one.childNodes].some((node) =>
          node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
        if (!hasText) continue;
        const [a, b] = [light(numbers(style.color)), light(ground(one))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) found.push(`faint ${name(one)} ${contrast.toFixed(1)}`);
      }
      if (document.documentElement.scrollWidth > innerWidth) {
        found.push(`the page is ${document.documentElement.scrollWidth} wide`);
      }
      const said = window.parent.document.documentElement.dataset;
      said.width = innerWidth;
      said.dark = matchMedia("(prefers-color-scheme: dark)").matches;
      said.found = found.join("; ");
    })();
    """
}
