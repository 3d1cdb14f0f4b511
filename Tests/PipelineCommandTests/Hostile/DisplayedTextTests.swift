import Foundation
import TestSupport
import Testing

@Suite("What is shown", .temporaryFolder)
struct DisplayedTextTests {
  /// Whether a terminal or a page does something else with it than to draw it.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return (0xE0000...0xE007F).contains(scalar.value)
    }
  }

  private static func harmful(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.unicodeScalars.contains(where: isHarmful) }
      .map { String($0.prefix(200)).debugDescription }
  }

  private static let store = ["STORE": HostileText.file]

  private static func shell(_ line: String) throws -> Tool.Outcome {
    try Tool.shell(line, in: TemporaryFolder.url, setting: store)
  }

  private static let lines = [
    "pipeline inspect \"$STORE\"",
    "pipeline inspect \"$STORE\" --models Notes.xcdatamodeld --json",
    "pipeline inspect \"$STORE\" --metadata",
    "pipeline inspect Hostile.xcdatamodeld",
    "pipeline model diff Hostile.xcdatamodeld --from Notes --to 'Notes 2'",
    "pipeline model diff Hostile.xcdatamodeld --from Notes --to 'Notes 2' --json",
    "pipeline model hash Hostile.xcdatamodeld",
    "pipeline model extract \"$STORE\"",
    "pipeline plan notes.pipeline \"$STORE\"",
    "pipeline plan notes.pipeline \"$STORE\" --json",
    "pipeline plan hostile.pipeline",
    "pipeline plan hostile.pipeline --json",
    "pipeline plan notes.pipeline \"$STORE\" --preflight",
    "pipeline run notes.pipeline \"$STORE\" --dry-run --values full",
    "pipeline run notes.pipeline \"$STORE\" --dry-run --values full --json",
    "pipeline run notes.pipeline \"$STORE\" --events events; cat events",
    "pipeline run notes.pipeline \"$STORE\" --json",
    "pipeline run wrong.pipeline \"$STORE\"",
    "pipeline run wrong.pipeline \"$STORE\" --json; pipeline status \"$STORE\"; "
      + "pipeline run notes.pipeline \"$STORE\"; pipeline resume \"$STORE\"",
    "pipeline run notes.pipeline \"$STORE\" -q; pipeline verify \"$STORE\"; "
      + "pipeline status \"$STORE\" --verify; pipeline status \"$STORE\" --json; "
      + "pipeline rollback \"$STORE\"",
    "cp \"$STORE\" Old.sqlite; pipeline run notes.pipeline \"$STORE\" -q; "
      + "pipeline diff Old.sqlite \"$STORE\" --values full; "
      + "pipeline diff Old.sqlite \"$STORE\" --values full --json",
    "pipeline try says.lua \"$STORE\" --pipeline notes.pipeline",
    "pipeline try fails.lua \"$STORE\" --pipeline notes.pipeline",
    "pipeline inspect \"none$STORE\"", "pipeline \"$STORE\"", "pipeline inspect \"--$STORE\"",
    "pipeline check \"$STORE\"", "pipeline run \"$STORE\" notes.pipeline",
    "pipeline backup \"$STORE\" \"kept$STORE\"", "pipeline diff \"$STORE\" Notes.xcdatamodeld",
    "pipeline run notes.pipeline \"$STORE\" none.sqlite",
  ]

  @Test("nothing that is shown drives a terminal, whatever is in a store", arguments: lines)
  func terminal(line: String) throws {
    try HostileText.lay(in: TemporaryFolder.url)
    let outcome = try Self.shell(line)
    #expect(Self.harmful(outcome.output) == [])
    #expect(Self.harmful(outcome.errors) == [])
    // A line end in a name or a message makes no line that seems to be the program's.
    let all = outcome.output + "\n" + outcome.errors
    #expect(!all.contains("\npipeline: warning: all is well"))
    #expect(!(outcome.output + outcome.errors).isEmpty)
  }

  @Test(
    "nothing of a store becomes markup of a page",
    arguments: [
      "pipeline run notes.pipeline \"$STORE\" --dry-run --values full --report page.html -q",
      "pipeline run notes.pipeline \"$STORE\" --dry-run --values full --report page.md -q",
      "pipeline run notes.pipeline \"$STORE\" --report page.html -q",
      "pipeline run notes.pipeline \"$STORE\" --report page.md -q",
      "pipeline model diff Hostile.xcdatamodeld --from Notes --to 'Notes 2' --html page.html",
    ])
  func page(line: String) throws {
    try HostileText.lay(in: TemporaryFolder.url)
    let outcome = try Self.shell("\(line) > printed; cat page.*")
    let page = outcome.output
    #expect(page.contains("U+") || page.contains("u{202E}"), "the text is not in it")
    #expect(Self.harmful(page) == [])
    for markup in ["<script>alert", "</script><", "<i>", "<b>.sqlite"] {
      #expect(!Self.has(markup, in: page.unicodeScalars), "\(markup)")
    }
    // Between tags a quote is a quote; in a tag it would end an attribute.
    let tags = page.unicodeScalars.split(separator: "<").map { $0.prefix { $0 != ">" } }
    #expect(!tags.contains { Self.has("\"\u{301} onclick", in: $0) })
    guard line.contains(".md") else { return }
    #expect(!page.contains("](http"))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.allSatisfy { $0.hasSuffix("|") })
  }

  /// Scalar by scalar: a mark that combines with a quote must not hide it.
  private static func has(
    _ text: String, in scalars: some Collection<Unicode.Scalar>
  ) -> Bool {
    scalars.firstRange(of: Array(text.unicodeScalars)) != nil
  }

  @Test("a script's words are one line with an end, marked as its own, and a hundred of them")
  func script() throws {
    try HostileText.lay(in: TemporaryFolder.url)
    let outcome = try Self.shell("pipeline run notes.pipeline \"$STORE\"")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("says.lua") }
    let words = warnings.filter { $0.hasPrefix("pipeline: warning: says.lua:4: ") }
    #expect(words.count == 100)
    #expect(words.allSatisfy { $0.count <= 1000 + "pipeline: warning: says.lua:4: ".count })
    #expect(
      warnings.last == "pipeline: warning: says.lua: 200 more warnings of the script, not shown")
    let failure = try Self.shell(
      "pipeline rollback \"$STORE\" -q; pipeline run wrong.pipeline \"$STORE\"")
    #expect(failure.status == 2)
    let first = failure.errors.split(separator: "\n").first { $0.hasPrefix("fails.lua:3: ") }
    #expect(first.map(\.count).map { $0 <= 1000 + "fails.lua:3: ".count } == true)
  }

  @Test("tables that no model explains are counted, and ten are named") func foreign() throws {
    try HostileText.lay(in: TemporaryFolder.url)
    let inspected = try Self.shell("pipeline inspect \"$STORE\" --models Notes.xcdatamodeld")
    #expect(inspected.output.contains("and 20 more"))
    let planned = try Self.shell("pipeline plan notes.pipeline \"$STORE\"")
    #expect(planned.output.contains("20 more tables"))
    let named = planned.output.split(separator: "\n").count { $0.contains("  table ") }
    #expect(named <= 10)
  }
}
