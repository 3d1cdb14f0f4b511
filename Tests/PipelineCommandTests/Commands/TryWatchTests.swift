import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite("Trying a script on each save", .temporaryFolder)
struct TryWatchTests {
  @Test("a save runs the script again, and a mistake is reported and waited out")
  func saves() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    // Each wait has an end, so that a command that does not see a save fails the test.
    let outcome = try Tool.shell(
      """
      wait_for() {
        n=0
        until grep -q "$1" out err; do
          n=$((n + 1)); test $n -lt 600 || exit 9; sleep 0.1
        done
      }
      pipeline try notes_priority.lua Notes.sqlite --pipeline notes.pipeline --watch > out 2> err &
      job=$!
      trap 'kill $job' EXIT
      wait_for 'priority = 1'
      cp notes_priority.lua good.txt
      echo 'return {' > notes_priority.lua
      wait_for 'expected'
      sed 's/high = 1/high = 7/' good.txt > notes_priority.lua
      wait_for 'priority = 7'
      """)
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test("Ctrl-C is its end, without a word and with status 0; SIGTERM ends it with 143")
  func interrupted() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    for (signal, status) in [("INT", 0), ("TERM", 143)] {
      let outcome = try Tool.shell(
        """
        : > out
        (n=0; until grep -q 'priority = 1' out; do
           n=$((n + 1)); test $n -lt 600 || break; sleep 0.1
         done; kill -\(signal) $(cat pid)) &
        sh -c 'echo $$ > pid; exec pipeline try notes_priority.lua Notes.sqlite \
          --pipeline notes.pipeline --watch > out'
        """)
      #expect(outcome.status == status, "\(outcome)")
      #expect(outcome.errors.contains("interrupted") == (status != 0), "\(outcome)")
    }
  }

  @Test("it does not go with --json, which is one document")
  func json() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try Tool.shell(
      "pipeline try notes_priority.lua Notes.sqlite --pipeline notes.pipeline --watch --json")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("pipeline try: --watch and --json do not go together"))
  }
}
