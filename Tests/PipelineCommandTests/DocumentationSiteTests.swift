import Formats
import Foundation
import TestSupport
import Testing

/// The pages that the command writes, and the site that `.ci/docs-site` makes of all pages.
@Suite("The documentation for the web", .temporaryFolder)
struct DocumentationSiteTests {
  private static let project = ManyStoresPageTests.project
  private static let hasPython = Tool.isThere("python3")

  @Test(
    "a page that is made from the program is what the program prints; `make pages` writes it",
    arguments: [
      ("Stages", "stages"), ("Functions", "types"), ("ModelRules", "model rules"),
    ])
  func generated(page: String, command: String) throws {
    let file = Self.project.appending(path: "Sources/StorePipeline/StorePipeline.docc/\(page).md")
    let printed = try Tool.shell("pipeline \(command) --markdown")
    #expect(printed.status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
  }

  private func site() throws -> URL {
    let made = try Tool.shell(
      "work=$PWD; cd '\(Self.project.path)' && .ci/docs-site \"$work/site\"")
    #expect(made.status == 0, "\(made.errors)")
    return TemporaryFolder.url.appending(path: "site")
  }

  /// What stands in an attribute of a page's elements.
  private func values(of attribute: String, in page: String) -> [String] {
    page.components(separatedBy: " \(attribute)=\"").dropFirst().map { piece in
      String(piece.prefix { $0 != "\"" })
    }
  }

  @Test("every link of the site leads somewhere", .enabled(if: hasPython, "python3 is missing"))
  func links() throws {
    let folder = try site()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let pages = try Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasSuffix(".html") }.map { name in
        (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
      })
    #expect(pages.count > 35)
    for (name, page) in pages {
      let targets = values(of: "href", in: page) + values(of: "src", in: page)
      #expect(targets.count > 30)
      for target in targets where !target.hasPrefix("https://") {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? name : parts[0]
        #expect(names.contains(file), "\(name): \(target)")
        guard parts.count == 2, let other = pages[file] else { continue }
        #expect(values(of: "id", in: other).contains(parts[1]), "\(name): \(target)")
      }
    }
  }

  @Test(
    "on a phone's screen no page is wider than the screen",
    .enabled(if: hasPython && Tool.isThere("chromium"), "python3 or chromium is missing"))
  func narrow() throws {
    let folder = try site()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".html") }
    let says = """
      <script>addEventListener("load", () => { const page = document.documentElement;
      parent.postMessage([location.pathname.split("/").pop(), page.scrollWidth - page.clientWidth],
      "*") })</script>
      """
    for name in names {
      let page = folder.appending(path: name)
      try Data((String(contentsOf: page, encoding: .utf8) + says).utf8).write(to: page)
    }
    let hears = """
      <ul></ul><script>addEventListener("message", (event) => {
      const line = document.createElement("li"); line.textContent = event.data.join(" ");
      document.querySelector("ul").append(line) })</script>
      """
    let frames = names.map { "<iframe src=\"\($0)\" width=400 height=700></iframe>" }.joined()
    try Data((hears + frames).utf8).write(to: folder.appending(path: "all.html"))
    let looked = try Tool.shell(
      "chromium --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/profile "
        + "--virtual-time-budget=30000 --dump-dom file://$PWD/site/all.html")
    let widths = looked.output.components(separatedBy: "<li>").dropFirst()
      .map { String($0.prefix { $0 != "<" }) }
    #expect(widths.count == names.count)
    #expect(widths.filter { !$0.hasSuffix(" 0") } == [])
  }

  @Test(
    "what is searched has every heading, and needs nothing from elsewhere",
    .enabled(if: hasPython, "python3 is missing"))
  func search() throws {
    let folder = try site()
    let script = try String(contentsOf: folder.appending(path: "pages.js"), encoding: .utf8)
    let list = script.dropFirst("const PAGES = ".count).prefix { $0 != "\n" }.dropLast()
    let parts = try #require(try JSONValue(reading: Array(list.utf8)).array)
    let phones = parts.filter { $0["text"]?.string?.contains("e.164") == true }
    #expect(phones.map { $0["title"]?.string } == ["Normalise phone numbers"])
    #expect(phones[0]["address"]?.string == "CookbookValues.html#Normalise-phone-numbers")
    let page = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
    #expect(values(of: "src", in: page).allSatisfy { !$0.contains("//") })
  }

  @Test(
    "the search finds a part of a page by its words",
    .enabled(if: hasPython && Tool.isThere("node"), "python3 or node is missing"))
  func found() throws {
    _ = try site()
    let said = try Tool.shell(
      """
      cat > page.js <<'END'
      const made = () => ({ append(...all) { this.text = all.map((one) => one.textContent ?? one)
        .join("") }, textContent: "" });
      const lines = [], typed = { value: "", addEventListener(kind, act) { this[kind] = act } };
      const list = { replaceChildren() { lines.length = 0 }, append(line) { lines.push(line) } };
      const document = { createElement: made,
        querySelector: (name) => name === "input" ? typed : list };
      END
      cat > try.js <<'END'
      typed.value = "Phone NORMALISE"; typed.input();
      console.log(lines.length, lines[0].text);
      typed.value = "no-such-word"; typed.input();
      console.log(lines.length, list.textContent);
      END
      cat page.js site/pages.js site/search.js try.js | node -
      """)
    #expect(said.errors == "")
    let lines = said.output.split(separator: "\n")
    #expect(lines.first?.contains("Normalise phone numbers Recipes for values") == true)
    #expect(lines.last == "0 Nothing has all of these words.")
  }

  @Test(
    "a page with a mistake is named, with its line",
    .enabled(if: hasPython, "python3 is missing"),
    arguments: [
      ("see [A](Nowhere.md)", "A.md:3: there is no page Nowhere"),
      ("see [this](A.md)", "A.md:3: the title of A is 'A', not 'this'"),
      ("see [this](../B.md)", "A.md:3: a page links to pages by [TITLE](NAME.md), not to ../B.md"),
      ("see <doc:A>", "A.md:3: a page links to pages by [TITLE](NAME.md), not to <doc:A>"),
      ("![a](Resources/none.png)", "A.md:3: there is no picture Resources/none.png"),
      ("```lua\nx", "A.md:3: the code does not end"),
      ("| a | b |\n| --- | --- |\n| c |", "A.md:3: the rows of the table differ in length"),
    ])
  func mistakes(line: String, message: String) throws {
    let pages = [
      "A": "# A\n\n\(line)\n",
      "StorePipeline": "# Start\n\nPages.\n\n## Topics\n\n### All\n\n- [A](A.md)\n",
    ]
    for (name, text) in pages {
      try Data(text.utf8).write(to: TemporaryFolder.url.appending(path: "\(name).md"))
    }
    let said = try Tool.shell("'\(Self.project.path)/.ci/docs-site' . site")
    #expect(said.status == 1 && said.errors == "docs-site: \(message)\n", "\(said)")
  }
}
