import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// `pipeline new` at a terminal that a program holds: what is asked, and what each answer does.
@Suite(
  "Questions of new", .temporaryFolder,
  .enabled(if: Tool.says("python3 -c 'import pty'"), "python3 makes the terminal"))
struct NewQuestionsTests {
  /// Gives an answer whenever a question is asked, and prints what the terminal shows.
  private static let terminal = #"""
    import os, pty, sys
    texts = sys.argv[1].split(",")
    answers = [bytes(text, "ascii").decode("unicode_escape").encode() for text in texts]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
    shown, asked = b"", 0
    while True:
        try:
            part = os.read(terminal, 1024)
        except OSError:
            break
        if not part:
            break
        shown += part
        while shown.count(b"Which? [") > asked:
            os.write(terminal, answers[asked] if asked < len(answers) else b"\x04")
            asked += 1
    sys.stdout.write(shown.decode().replace("\r", ""))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """#

  /// Runs `pipeline new` with such answers, for the notes and their store.
  private static func new(
    _ answers: String, _ options: String = ""
  ) throws -> (shown: String, file: String) {
    try NotesSample.lay(in: TemporaryFolder.url)
    try Data(terminal.utf8).write(to: TemporaryFolder.url.appending(path: "terminal.py"))
    let outcome = try Tool.shell(
      """
      python3 terminal.py '\(answers)' pipeline new --models Notes.xcdatamodeld \
      --from Notes.sqlite --to 'Notes 2' -o out \(options)
      """)
    #expect(outcome.status == 0, "\(outcome)")
    let file = TemporaryFolder.url.appending(path: "out/notes_2.pipeline")
    return (outcome.output, try String(contentsOf: file, encoding: .utf8))
  }

  @Test("a question has a preview from the store, and its answer settles the decision")
  func answer() throws {
    let (shown, file) = try Self.new(#"1\n,9\n,2\n"#)
    #expect(shown.contains("Note.done\u{1B}[0m (Notes 2): The target has no place for it"))
    #expect(shown.contains("In the store: 3 of 3 objects have one: "))
    #expect(shown.contains(#"  2  drop { "Note.done" }"#))
    #expect(shown.contains("  3  leave it undecided"))
    #expect(shown.contains("Type a number from 1 to 3."))
    #expect(shown.contains("nothing is left to decide"))
    #expect(file.contains("  -- Your answer.\n  drop { \"Note.done\" },"))
    #expect(!file.contains("undecided {"))
  }

  @Test("in a chain a question about a later step shows what the store of the first version has")
  func chain() throws {
    try Data(Self.terminal.utf8).write(to: TemporaryFolder.url.appending(path: "terminal.py"))
    let outcome = try Tool.shell(
      """
      pipeline sample notes n --quiet > made.txt
      python3 terminal.py '\\n,\\n' pipeline new --models n/Notes.xcdatamodeld \
      --from n/Notes.sqlite --to 'Notes 3' -o out
      """)
    let text = try #require(
      outcome.output.firstRange(of: "(Notes 3): The target has no place for it"))
    #expect(
      outcome.output[text.upperBound...].contains(
        "In the store: 120 of 120 objects have one: \"Ada\""))
  }

  @Test("an empty line, and the end of the input, leave a decision in the list")
  func leave() throws {
    let (shown, file) = try Self.new(#"\n,\n"#)
    #expect(shown.contains("2 decisions are yours to make"))
    #expect(file.contains("undecided {"))
    try FileManager.default.removeItem(at: TemporaryFolder.url.appending(path: "out"))
    for name in ["Notes.sqlite", "Notes.xcdatamodeld", "notes.pipeline", "notes_priority.lua"] {
      try FileManager.default.removeItem(at: TemporaryFolder.url.appending(path: name))
    }
    #expect(try Self.new(#"\x04"#).file.contains("undecided {"))
  }

  @Test("a place for the values settles the decision as well")
  func place() throws {
    let (shown, file) = try Self.new(#"1\n,1\n"#)
    #expect(shown.contains("nothing is left to decide"))
    #expect(!file.contains("undecided {"))
    #expect(
      file.contains(#"map { entity = "Note", attributes = { pinned = from("done") } },"#))
  }

  @Test("with --no-input nothing is asked at a terminal either")
  func noInput() throws {
    let (shown, file) = try Self.new(#"2\n"#, "--no-input")
    #expect(!shown.contains("Which?"))
    #expect(file.contains("undecided {"))
  }
}
