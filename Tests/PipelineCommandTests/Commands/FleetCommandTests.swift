import StoreTestSupport
import TestSupport
import Testing

@Suite("The command fleet", .temporaryFolder)
struct FleetCommandTests {
  /// Whether names of files may be any bytes here, as on Linux.
  private static let takesBytes = Tool.says(
    #"d=$(mktemp -d) && : > "$d/$(printf 'a\351')"; end=$?; rm -r "$d"; exit $end"#)

  @Test(
    "a store whose name is not UTF-8 is not left out without a word",
    .enabled(if: takesBytes, "names of files are UTF-8 here"))
  func bytes() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try Tool.shell(
      #"""
      mkdir stores && cp Notes.sqlite stores/a.sqlite
      cp Notes.sqlite "stores/$(printf 'caf\351').sqlite"
      : > "stores/$(printf 'caf\351').sqlite-wal"
      pipeline fleet stores --list 'never run' && pipeline inspect stores --json 2> text
      end=$?
      rm -r stores
      exit $end
      """#)
    let words = "left out: 1 name not in UTF-8, such as stores/caf"
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("stores/a.sqlite\n{"), "\(outcome)")
    #expect(outcome.output.contains(words), "\(outcome)")
    #expect(outcome.errors.contains("warning: \(words)"), "\(outcome)")
  }
}
