import Foundation
import TestSupport
import Testing

/// What is written in another language than Swift, given to that language's own tool.
@Suite("Other languages", .temporaryFolder)
struct OtherLanguagesTests {
  @Test("every Lua file compiles", .enabled(if: Tool.isThere("luac5.4"), "luac is not installed"))
  func lua() throws {
    try expect(
      "find Sources scripts -name '*.lua'", passes: "luac5.4 -p", unlike: "local function f( end")
  }

  @Test("every JavaScript file parses", .enabled(if: Tool.isThere("node"), "node is not installed"))
  func javaScript() throws {
    try expect("find Sources -name '*.js'", passes: "node --check", unlike: "const = 1;")
  }

  @Test(
    "ShellCheck finds nothing in any shell script",
    .enabled(if: Tool.isThere("shellcheck"), "shellcheck is not installed"))
  func shell() throws {
    try expect(
      "grep -rlE '^#!.*[/ ](sh|bash)$' .ci samples", passes: "shellcheck",
      unlike: "#!/bin/sh\nrm $1")
  }

  /// Expects that a checker passes each file that a command lists, and refuses a mistake.
  private func expect(_ list: String, passes checker: String, unlike mistake: String) throws {
    let outcome = try Tool.shell(
      """
      cd '\(ManyStoresPageTests.project.path)'
      \(list) | { read -r first && \(checker) "$first" &&
        while read -r next; do \(checker) "$next" || exit; done }
      """)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let file = TemporaryFolder.url.appending(path: "mistake.js")
    try Data(mistake.utf8).write(to: file)
    #expect(try Tool.shell("\(checker) mistake.js").status != 0)
  }
}
