import Foundation
import Testing

@Suite("What the documents say of the project")
struct DocumentTests {
  private static let documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]

  @Test("every file a document links to exists", arguments: documents)
  func links(document: String) throws {
    let dead = Self.linkTargets(in: try Repository.text(of: document))
      .filter { !$0.contains("://") && !$0.hasPrefix("#") }
      .filter { !Repository.has($0.prefix { $0 != "#" }) }
    #expect(dead.isEmpty)
  }

  @Test("every target of the Makefile that a document names exists", arguments: documents)
  func targets(document: String) throws {
    let named = Self.targetsNamed(in: try Repository.text(of: document))
    #expect(named.subtracting(try Self.targets()) == [])
  }

  @Test("the pages of the documentation link to each other by files that are there")
  func pages() throws {
    let folder = "Sources/StorePipeline/StorePipeline.docc/"
    let pages = try Repository.files.get().filter {
      $0.path.hasPrefix(folder) && $0.path.hasSuffix(".md")
    }
    #expect(pages.count > 30)
    for page in pages {
      let text = try Repository.text(of: page.path)
      let targets = Self.linkTargets(in: text)
        .filter { $0.hasSuffix(".md") || $0.hasPrefix("Resources/") }
      #expect(targets.filter { !Repository.has(folder + $0) } == [], "\(page.path)")
      // The web site of a repository does not know DocC's own links.
      #expect(!text.contains("<doc:"), "\(page.path)")
    }
  }

  @Test(
    "every target of the Makefile is documented", arguments: ["CONTRIBUTING.md", "Makefile"])
  func isDocumented(document: String) throws {
    let targets = try Self.targets()
    #expect(targets.contains("check"))
    // Only a part of another target needs no line in the Makefile's own list.
    let parts: Set = document == "Makefile" ? ["help", "imports"] : []
    let named = Self.targetsNamed(in: try Repository.text(of: document))
    #expect(targets.subtracting(named).subtracting(parts) == [])
  }

  @Test("the README is read in one sitting")
  func length() throws {
    let lines = try Repository.text(of: "README.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 200)
  }

  @Test("links and targets are found where they stand")
  func finds() {
    let text = "`make a-b` [c](d.md) and\n    make e\nwe make f; cmake g; [h](https://i) `make`"
    #expect(Self.linkTargets(in: text) == ["d.md", "https://i"])
    #expect(Self.targetsNamed(in: text) == ["a-b", "e"])
  }

  /// What stands in the round brackets of Markdown links.
  private static func linkTargets(in text: String) -> [String] {
    text.components(separatedBy: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
  }

  /// The words after `make`, where that begins a line or a piece of code.
  private static func targetsNamed(in text: String) -> Set<String> {
    let places = text.components(separatedBy: "make ")
    return Set(
      zip(places, places.dropFirst()).compactMap { before, after in
        let start = before.last { $0 != " " && $0 != "#" }
        guard start.map({ "`\n$".contains($0) }) ?? true else { return nil }
        return String(after.prefix { $0.isLetter || $0 == "-" })
      })
  }

  /// The targets of the Makefile: what stands before a colon at the beginning of a line.
  private static func targets() throws -> Set<String> {
    let lines = try Repository.text(of: "Makefile").split(separator: "\n")
    return Set(
      lines.compactMap { line in
        let name = line.prefix { $0.isLowercase || $0 == "-" }
        let rest = line.dropFirst(name.count)
        return !name.isEmpty && rest.hasPrefix(":") && !rest.hasPrefix(":=") ? String(name) : nil
      })
  }
}
