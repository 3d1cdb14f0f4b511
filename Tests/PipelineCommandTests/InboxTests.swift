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

  @Test("a store that was taken is taken again when its sender writes .ready again")
  func again() throws {
    try lay()
    let said = try shell(
      """
      touch 'inbox/a b.sqlite.ready'
      take; cp inbox/*.migrated first; take; cmp inbox/*.migrated first && echo left alone
      sleep 0.05; rm -r inbox/*.pipeline; cp Notes.sqlite 'inbox/a b.sqlite'
      touch 'inbox/a b.sqlite.ready'
      take; cmp -s inbox/*.migrated first || echo taken again
      """)
    #expect(said.output == "left alone\ntaken again\n", "\(said)")
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
      PATH=$PWD/bin:$PATH; take; echo "$?"; paste -sd ' ' pauses
      """)
    #expect(said.output == "75\n1 2 4 8 16 0\n", "\(said)")
    #expect(said.errors.contains("1 left, busy or refused by the machine"))
  }

  @Test(
    "systemd takes the units",
    .enabled(if: Tool.isThere("systemd-analyze"), "systemd is not installed"))
  func units() throws {
    let said = try Tool.shell(
      """
      cp '\(Self.folder)'/pipeline-inbox.* .
      sed -i 's|/usr/local/lib/pipeline/migrate-inbox|/bin/true|' pipeline-inbox.service
      systemd-analyze verify ./pipeline-inbox.path ./pipeline-inbox.service 2>&1 | grep inbox
      """)
    #expect(said.output == "", "\(said)")
  }
}
