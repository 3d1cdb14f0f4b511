import Foundation
import TestSupport
import Testing

/// Writes the files that each recipe shows, and runs its commands.
@Suite("The cookbook", .temporaryFolder)
struct CookbookTests {
  /// One section of a page: a title, files and commands.
  struct Recipe: CustomTestStringConvertible {
    let page: String
    let title: String
    let text: String

    var testDescription: String { title }

    /// Whether it needs something that not every machine has.
    func needs(_ word: String) -> Bool { text.contains(word) }

    /// The files: the first line of a block, or the second after `#!`, names each in a comment.
    var files: [(name: String?, text: String)] {
      text.components(separatedBy: "\n```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
        .map(\.element).filter { !$0.hasPrefix("console") }.map { block in
          let lines = block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
          return (lines.prefix(2).compactMap(Self.name).first, lines.joined(separator: "\n") + "\n")
        }
    }

    private static func name(in line: Substring) -> String? {
      let marks = ["-- ", "# ", "<!-- "]
      guard let mark = marks.first(where: { line.hasPrefix($0) }) else { return nil }
      return String(line.dropFirst(mark.count).prefix { $0 != ":" }).replacing(" -->", with: "")
    }
  }

  private static let catalogue = ManyStoresPageTests.project.appending(
    path: "Sources/StorePipeline/StorePipeline.docc")

  private static func page(_ name: String) -> String {
    (try? String(contentsOf: catalogue.appending(path: "\(name).md"), encoding: .utf8)) ?? ""
  }

  static let recipes: [Recipe] = ["Objects", "Values", "Links", "Outside"].flatMap { name in
    page("Cookbook\(name)").components(separatedBy: "\n### ").dropFirst().map { section in
      Recipe(
        page: "Cookbook\(name)", title: String(section.prefix { $0 != "\n" }), text: section)
    }
  }
  static let pure: [Recipe] = recipes.filter { !$0.needs("python3") && !$0.needs("image.") }
  static let withPictures: [Recipe] = recipes.filter { $0.needs("image.") }
  static let withPrograms: [Recipe] = recipes.filter { $0.needs("python3") }

  @Test("a recipe does what its page shows", arguments: pure)
  func alone(recipe: Recipe) throws { try run(recipe) }

  @Test(
    "a recipe with pictures does what its page shows",
    .enabled(
      if: Tool.says("pipeline --version | grep -q libvips"), "built without the trait Images"),
    arguments: withPictures)
  func pictures(recipe: Recipe) throws { try run(recipe) }

  @Test(
    "a recipe with other programs does what its page shows",
    .enabled(
      if: Tool.isThere("python3") && Tool.isThere("openssl"), "python3 or openssl is missing"),
    arguments: withPrograms)
  func programs(recipe: Recipe) throws { try run(recipe) }

  @Test("there are twenty recipes and more, each in the table of the first page")
  func list() {
    #expect(Self.recipes.count >= 20)
    let first = Self.page("Cookbook")
    let rows = first.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    let expected = Self.recipes.map { recipe in
      "| \(recipe.title) | [\(Self.page(recipe.page).prefix { $0 != "\n" }.dropFirst(2))]"
        + "(\(recipe.page).md) |"
    }
    #expect(rows.map(String.init) == expected)
  }

  @Test("a recipe whose page is wrong is noticed") func wrong() throws {
    let recipe = try #require(Self.pure.first)
    let altered = Recipe(
      page: recipe.page, title: recipe.title,
      text: recipe.text.replacing("1 passed, 0 failed", with: "2 passed, 0 failed"))
    try lay(altered)
    #expect(try Transcript(altered.text).failures(in: TemporaryFolder.url).count == 1)
  }

  private func lay(_ recipe: Recipe) throws {
    #expect(recipe.files.count > 2)
    for file in recipe.files {
      let place = TemporaryFolder.url.appending(path: try #require(file.name))
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: place)
    }
  }

  private func run(_ recipe: Recipe) throws {
    try lay(recipe)
    let transcript = Transcript(recipe.text)
    #expect(!transcript.steps.isEmpty)
    for failure in try transcript.failures(in: TemporaryFolder.url) {
      Issue.record("\(recipe.page), \(recipe.title), is not what happens:\n\(failure)")
    }
  }
}
