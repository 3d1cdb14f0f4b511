import CoreDataStore
import Foundation
import StoreReplacement
import Testing

@Suite("Words for a shell") struct ShellWordTests {
  @Test(
    "a shell reads back what was meant, and the word stays on one line",
    arguments: [
      "", "plain/path-1.sqlite", "a b", "it's", "$HOME `id` \"q\" \\", "~*?[x]", "ä🦆", "'", "-n",
      "a'\u{301}; echo b",
    ])
  func readBack(word: String) throws { #expect(try read(ShellWord.quoted(word)) == word) }

  @Test(
    "control characters can be seen, and do not end the line",
    arguments: [
      "two\nlines", "\u{1b}[2J", "tab\t9", "it's\n\\n", "a\u{202e}\u{2028}\u{e0041}'\u{301}",
    ])
  func control(word: String) throws {
    let quoted = ShellWord.quoted(word)
    #expect(quoted.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(try read(quoted, by: "bash") == word)
  }

  @Test("what needs no quotes has none") func plain() {
    #expect(ShellWord.quoted("/a/b-c_1.sqlite") == "/a/b-c_1.sqlite")
  }

  private func read(_ word: String, by shell: String = "sh") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [shell, "-c", "printf %s \(word)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
