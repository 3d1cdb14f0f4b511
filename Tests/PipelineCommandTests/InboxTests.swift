import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The scripts of `samples/Fleet/inbox`, in a folder where stores arrive.
@Suite("A folder where stores arrive", .temporaryFolder)
struct InboxTests {
  private static let folder = ManyStoresPageTests.project.appending(path: "samples/Fleet/inbox")
    .path

  /// Runs a line of shell in which `take` looks once for what has arrived.
  private func shell(_ line: String) throws -> Tool.Outcome {
    try Tool.shell("take() { '\(Self.folder)/migrate-inbox' notes.pipeline inbox; }\n\(line)")
  }

  private func lay() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    #expect(try shell("mkdir inbox; cp Notes.sqlite 'inbox/a b.sqlite'").status == 0)
  }

  @Test("a store is taken once its sender has written .ready, and no file of the sender's moves")
  func ready() throws {
    try lay()
    #expect(
      try shell("take; ls inbox") == Tool.Outcome(output: "a b.sqlite\n", errors: "", status: 0))
    let said = try shell(
      """
      touch 'inbox/a b.sqlite.ready'
      take && ls inbox && cat inbox/*.migrated
      """)
    #expect(said.status == 0, "\(said)")
    for name in ["a b.sqlite", "a b.sqlite.ready", "a b.sqlite.migrated", "a b.sqlite.html"] {
      #expect(said.output.contains("\(name)\n"))
    }
    #expect(said.output.contains("Notes -> Notes 2"))
  }

  private static let parts: [(sample: String, store: String, part: String, whole: String)] = [
    ("wal-trap", "Ledger.sqlite", "Ledger.sqlite-wal", "2,000 .* Payment$"),
    ("four-versions", "Journal.sqlite", ".Journal_SUPPORT", "^ present 1, "),
  ]

  @Test("what arrives behind the main file, but for .ready, is migrated with it", arguments: parts)
  func late(sample: String, store: String, part: String, whole: String) throws {
    let said = try Tool.shell(
      """
      take() { '\(Self.folder)/migrate-inbox' sample/*.pipeline inbox; }
      pipeline sample \(sample) sample > text; mkdir inbox
      cp sample/\(store) inbox; take; cp -R sample/\(part) inbox; take
      ls -d inbox/*.migrated inbox/*.refused inbox/*.pipeline 2> /dev/null
      touch inbox/\(store).ready; take; ls inbox/*.migrated inbox/*.refused 2> /dev/null
      pipeline inspect inbox/\(store) --models sample/*.xcdatamodeld | tr -s ' ' |
        grep -c '\(whole)'
      """)
    #expect(said.output == "inbox/\(store).migrated\n1\n", "\(said)")
  }

  @Test(
    "a store that was taken is taken again when .ready has another time, a newer or an older one",
    arguments: ["now", "2020-01-01"])
  func again(time: String) throws {
    try lay()
    let said = try shell(
      """
      touch 'inbox/a b.sqlite.ready'
      take; cp inbox/*.migrated first; cp inbox/*.html page; take
      cmp inbox/*.migrated first && echo left alone
      sleep 0.05; cp Notes.sqlite 'inbox/a b.sqlite'; touch -d '\(time)' 'inbox/a b.sqlite.ready'
      take; grep -o 'Notes -> Notes 2' inbox/*.migrated; cmp -s inbox/*.html page || echo new page
      cd inbox; ls -d *.migrated *.refused *.html *.summary *.taken 2> /dev/null
      """)
    #expect(
      said.output
        == "left alone\nNotes -> Notes 2\nnew page\na b.sqlite.html\na b.sqlite.migrated\n",
      "\(said)")
  }

  private static let comparesExactly = #"""
    probe=$(mktemp -d); touch -d 2020-01-01T00:00:00.2 "$probe/1"
    touch -d 2020-01-01T00:00:00.4 "$probe/2"; [ "$probe/2" -nt "$probe/1" ]
    """#

  @Test(
    "stores that are done start no process each",
    .enabled(if: Tool.says(comparesExactly), "the shell compares times by the second"))
  func manyDone() throws {
    try lay()
    let said = try shell(
      """
      for n in $(seq 50); do touch inbox/$n.ready; cp -p inbox/$n.ready inbox/$n.migrated; done
      mkdir bin; printf '#!/bin/sh\necho found >> "%s"\n' "$PWD/calls" > bin/find
      chmod +x bin/find; PATH="$PWD/bin:$PATH"
      take && cat calls 2> /dev/null; ls inbox | wc -l
      """)
    #expect(said.output.split(whereSeparator: \.isWhitespace) == ["101"], "\(said)")
  }

  @Test(
    "a store that was refused is migrated once what was wrong is corrected",
    arguments: ["rm inbox/*.refused", "sleep 0.05; touch 'inbox/a b.sqlite.ready'"])
  func corrected(again: String) throws {
    try lay()
    let said = try shell(
      """
      cp Notes.sqlite right; echo no > 'inbox/a b.sqlite'
      touch 'inbox/a b.sqlite.ready'; take; tail -n 1 inbox/*.refused
      cp right 'inbox/a b.sqlite'; \(again); take
      cd inbox; ls -d *.migrated *.refused *.html 2> /dev/null
      """)
    #expect(said.output == "status 3\na b.sqlite.html\na b.sqlite.migrated\n", "\(said)")
  }

  @Test("a store that is corrected after a failed run, which left its work, is migrated")
  func correctedAfterWork() throws {
    try lay()
    let said = try shell(
      """
      sed 's/^stage "swap".*/stage "hook" { command = { "sh", "-c", "test -e right" } }\\n&/' \
        notes.pipeline > hooked && mv hooked notes.pipeline && pipeline trust notes.pipeline
      touch 'inbox/a b.sqlite.ready'; take; tail -n 1 inbox/*.refused
      """)
    #expect(said.output.hasSuffix("status 1\n"), "\(said)")
    let path = TemporaryFolder.url.appending(path: "inbox/a b.sqlite").path
    try SampleStore.change(path, by: "UPDATE ZNOTE SET ZTITLE = 'corrected'")
    let again = try shell(
      "touch right; sleep 0.05; touch 'inbox/a b.sqlite.ready'; take; echo $?; ls inbox/*.migrated")
    #expect(again.output == "0\ninbox/a b.sqlite.migrated\n", "\(again)")
  }

  @Test("a pipeline file that is wrong refuses no store")
  func wrongFile() throws {
    try lay()
    let said = try shell(
      """
      touch 'inbox/a b.sqlite.ready'
      cp notes.pipeline right.pipeline; echo nonsense >> notes.pipeline; take; echo "$?"; ls inbox
      cp right.pipeline notes.pipeline; take; ls inbox/*.migrated
      """)
    #expect(
      said.output == "2\na b.sqlite\na b.sqlite.ready\ninbox/a b.sqlite.migrated\n", "\(said)")
    #expect(said.errors.contains("notes.pipeline"))
  }

  @Test("a folder that may not be written in ends the command at once, with a reason")
  func unwritable() throws {
    try lay()
    // Root may write anywhere: the user nobody may not.
    let said = try shell(
      """
      touch 'inbox/a b.sqlite.ready'; chmod 555 inbox; chmod 755 .
      if [ "$(id -u)" = 0 ]; then as='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi
      timeout 20 ${as-} env "PATH=$PATH" '\(Self.folder)/migrate-inbox' notes.pipeline inbox
      echo "$?"; chmod 755 inbox; ls inbox
      """)
    #expect(said.output == "4\na b.sqlite\na b.sqlite.ready\n", "\(said)")
    #expect(said.errors.hasPrefix("migrate-inbox: cannot write in inbox"), "\(said)")
  }

  @Test("a folder that is none, or is not there, is a mistake of the command")
  func noFolder() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let said = try shell(
      """
      touch file
      for f in file none; do '\(Self.folder)/migrate-inbox' notes.pipeline $f; echo $?; done
      """)
    #expect(said.output == "2\n2\n", "\(said)")
    #expect(said.errors == "migrate-inbox: no folder: file\nmigrate-inbox: no folder: none\n")
  }

  @Test("a store that is sent again before its run has ended is migrated as it is now")
  func unfinished() throws {
    try lay()
    let path = TemporaryFolder.url.appending(path: "inbox/a b.sqlite").path
    let begun = try shell("pipeline run notes.pipeline 'inbox/a b.sqlite' --until copy -q")
    #expect(begun.status == 0, "\(begun)")
    try SampleStore.change(path, by: "UPDATE ZNOTE SET ZTITLE = 'sent again'")
    let said = try shell(
      """
      touch -d 2020-01-01 'inbox/a b.sqlite.taken'; touch 'inbox/a b.sqlite.ready'
      take; echo "$?"; ls inbox/*.migrated
      """)
    #expect(said.output == "0\ninbox/a b.sqlite.migrated\n", "\(said)")
  }

  @Test("a store whose run was over when the script was killed gets its mark, and keeps its report")
  func killed() throws {
    try lay()
    let said = try shell(
      """
      mkdir bin; cat > bin/pipeline <<END
      #!/bin/sh
      '$(command -v pipeline)' "\\$@"
      [ \\$1 = check ] || kill -9 \\$PPID
      END
      chmod +x bin/pipeline; touch 'inbox/a b.sqlite.ready'
      (PATH=$PWD/bin:$PATH; take); ls inbox/*.migrated; cp inbox/*.new.html page; take
      cat inbox/*.migrated; cmp page 'inbox/a b.sqlite.html' && echo page; ls inbox/*.new.html
      """)
    #expect(said.output == "inbox/a b.sqlite: is Notes 2 already\npage\n", "\(said)")
  }

  @Test("a store that becomes ready during a pass is taken by the same start")
  func meanwhile() throws {
    try lay()
    let said = try shell(
      """
      mkdir bin; cat > bin/pipeline <<END
      #!/bin/sh
      case \\$3 in *a*) cp Notes.sqlite inbox/B.sqlite; touch inbox/B.sqlite.ready ;; esac
      exec '$(command -v pipeline)' "\\$@"
      END
      chmod +x bin/pipeline; touch 'inbox/a b.sqlite.ready'
      PATH=$PWD/bin:$PATH; take; ls inbox/*.migrated
      """)
    #expect(said.output == "inbox/B.sqlite.migrated\ninbox/a b.sqlite.migrated\n", "\(said)")
  }

  @Test("SIGTERM stops the run and waits for its end, and the next start takes the store up")
  func stopped() throws {
    try lay()
    let said = try shell(
      """
      mkdir bin; cat > bin/pipeline <<END
      #!/bin/sh
      [ \\$1 = run ] || exit 0
      trap 'sleep 0.3; echo ended > said; exit 143' TERM
      touch started; for try in \\$(seq 100); do sleep 0.1; done
      END
      chmod +x bin/pipeline; touch 'inbox/a b.sqlite.ready'
      (PATH=$PWD/bin:$PATH; exec '\(Self.folder)/migrate-inbox' notes.pipeline inbox) & script=$!
      until [ -e started ]; do sleep 0.05; done
      kill -TERM $script; wait $script; echo "$?"; cat said
      take; ls inbox/*.migrated
      """)
    #expect(said.output == "143\nended\ninbox/a b.sqlite.migrated\n", "\(said)")
  }

  @Test("what no second try can help stays with its reason, and does not stop the others")
  func refused() throws {
    try lay()
    let said = try shell(
      """
      echo no > inbox/A.sqlite; touch inbox/A.sqlite.ready 'inbox/a b.sqlite.ready'
      take; echo "$?"; cat inbox/A.sqlite.refused; ls inbox/*.migrated; ls inbox/*.summary
      """)
    #expect(said.output.hasPrefix("0\npipeline: cannot open the store"))
    #expect(said.output.contains("status 3\ninbox/a b.sqlite.migrated\n"))
  }

  @Test("a store that is busy is tried again until it is free")
  func busy() throws {
    try lay()
    let said = try shell(
      """
      mkdir -p 'inbox/a b.sqlite.pipeline/run'; touch 'inbox/a b.sqlite.ready'
      flock 'inbox/a b.sqlite.pipeline/run/lock' sleep 2 &
      sleep 0.2; take; echo "$?"; ls inbox/*.migrated
      """)
    #expect(said.output == "0\ninbox/a b.sqlite.migrated\n", "\(said)")
  }

  @Test("what stays busy is left to the next start, with status 75")
  func left() throws {
    try lay()
    let said = try shell(
      """
      mkdir bin; printf '#!/bin/sh\\nexit 5\\n' > bin/pipeline; chmod +x bin/pipeline
      printf '#!/bin/sh\\necho "$1" >> pauses\\n' > bin/sleep; chmod +x bin/sleep
      touch 'inbox/a b.sqlite.ready'
      PATH=$PWD/bin:$PATH; take; echo "$?"; grep -vF . pauses | paste -sd ' ' -
      """)
    #expect(said.output == "75\n1 2 4 8 16 0\n", "\(said)")
    #expect(said.errors.contains("1 left, busy or refused by the machine"))
  }

  @Test("a run that is killed, and a program that is not there, refuse no store")
  func killedRuns() throws {
    try lay()
    let said = try shell(
      """
      mkdir bin; printf '#!/bin/sh\\nkill -9 $$\\n' > bin/pipeline; chmod +x bin/pipeline
      printf '#!/bin/sh\\n' > bin/sleep; chmod +x bin/sleep; touch 'inbox/a b.sqlite.ready'
      (PATH=$PWD/bin:$PATH; take; echo "$?"; tail -n 1 inbox/*.summary)
      mkdir none; for name in sh find touch; do ln -s "$(command -v $name)" none; done
      (PATH=$PWD/none; take; echo "$?"); ls inbox/*.refused; take; ls inbox/*.migrated
      """)
    #expect(
      said.output == "75\nstatus 137\n127\ninbox/a b.sqlite.migrated\n", "\(said)")
    #expect(said.errors.contains("pipeline is not in "))
  }

  @Test(
    "systemd takes the units",
    .enabled(if: Tool.isThere("systemd-analyze"), "systemd is not installed"))
  func units() throws {
    let said = try Tool.shell(
      """
      cp '\(Self.folder)'/pipeline-inbox.* .
      sed -i 's|/usr/local/[^ ]*/migrate-inbox|/bin/true|' pipeline-inbox.service
      systemd-analyze verify ./pipeline-inbox.path ./pipeline-inbox.timer \
        ./pipeline-inbox.service 2>&1 | grep inbox
      """)
    #expect(said.output == "", "\(said)")
  }
}
