import Testing

@testable import StorePipeline

@Suite("The parts of an error's text")
struct ErrorTextTests {
  @Test("a failure has what was being done, why it failed and what to do")
  func failure() {
    let text = ErrorText("cannot open the store: a:5: b\nIt is a folder.\n  ./one\nName a store.")
    #expect(text.what == "cannot open the store" && text.why == "It is a folder.")
    #expect(text.remedy == "Name a store." && text.file == nil)
  }

  private static let mistakes: [(text: String, file: String?)] = [
    ("a b.pipeline:8: Note.done: no place.\nAnswers:\n  drop {}", "a b.pipeline"),
    ("notes.lua:5: no 'author'\n    5 | note.author\n  Correct the script.", "notes.lua"),
    ("one line", nil), ("a:b\n  c", nil), ("a:12", nil), ("x: 12: y", nil), (":", nil),
  ]

  @Test("a mistake is its first line, whatever follows", arguments: mistakes)
  func mistake(text: String, file: String?) {
    let parts = ErrorText(text)
    #expect(parts.what == nil && parts.file == file)
    #expect(text.hasPrefix(parts.why) && !parts.why.contains("\n"))
  }

  @Test("no text has no parts")
  func empty() {
    let text = ErrorText("")
    #expect(text.what == nil && text.why.isEmpty && text.remedy.isEmpty && text.file == nil)
  }
}
