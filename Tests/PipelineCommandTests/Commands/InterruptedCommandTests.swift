import CoreDataStore
import Foundation
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

/// The command itself, stopped by Ctrl-C or met by another one.
@Suite("A command that is stopped or met by another", .temporaryFolder)
struct InterruptedCommandTests {
  private static var home: URL { TemporaryFolder.url.appending(path: "home") }
  private static var store: String { home.appending(path: "Notes.sqlite").path }

  private static func lay() throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    try NotesSample.lay(in: home)
  }

  private static func isNew() throws -> Bool {
    let sql = "SELECT count(*) FROM sqlite_master WHERE name = 'ZLABEL'"
    return try StoreRows.read(sql, at: store) == ["1"]
  }

  @Test("Ctrl-C leaves the store as it is, and the line that is printed resumes the run")
  func pasted() throws {
    try Self.lay()
    let file = Self.home.appending(path: "notes.pipeline")
    var text = try String(contentsOf: file, encoding: .utf8)
    let swap = try #require(text.firstRange(of: #"stage "swap""#))
    // A program says that the run is on its way, and waits to be stopped; the second time it does
    // neither. A shell has its jobs ignore Ctrl-C, so that the run is not one of them; where the
    // tests themselves are one, Perl takes that back ("Signals that were ignored on entry to a
    // non-interactive shell cannot be trapped or reset", POSIX, trap).
    text.insert(
      contentsOf: #"""
        stage "hook" {
          command = { "sh", "-c", "test ! -e ready || { echo > ready; rm ready; exec sleep 9; }" },
        }

        """#, at: swap.lowerBound)
    try text.write(to: file, atomically: true, encoding: .utf8)
    let before = try StoreRows.tables(at: Self.store)
    let stopped = try Tool.shell(
      """
      export HOME=$PWD XDG_CONFIG_HOME=$PWD/config; mkfifo home/ready
      pipeline trust home/notes.pipeline --quiet </dev/null
      (read told < home/ready; kill -INT $(cat pid)) &
      sh -c 'echo $$ > pid; exec perl -e "\\$SIG{INT} = q(DEFAULT); exec @ARGV" \\
        pipeline run home/notes.pipeline home/Notes.sqlite --quiet'
      """)
    #expect(stopped.status == 130, "\(stopped)")
    #expect(stopped.errors.contains("The store is unchanged. To resume:"), "\(stopped)")
    #expect(try StoreRows.tables(at: Self.store) == before)
    let line = try #require(
      stopped.errors.split(separator: "\n").last { $0.hasPrefix("pipeline run") })
    let resumed = try Tool.shell("export HOME=$PWD XDG_CONFIG_HOME=$PWD/config; \(line)")
    #expect(resumed.status == 0, "\(line): \(resumed)")
    #expect(try Self.isNew())
  }

  @Test("a run whose work folder another run has ends with 5, and leaves the store alone")
  func taken() throws {
    try Self.lay()
    let folder = try WorkFolder(store: Self.store, work: "\(TemporaryFolder.url.path)/work")
    let lock = try RunLock(folder)
    let before = try StoreRows.tables(at: Self.store)
    let line = "pipeline run home/notes.pipeline home/Notes.sqlite --work work"
    let refused = try Tool.shell(line)
    #expect(refused.status == 5, "\(refused)")
    #expect(try StoreRows.tables(at: Self.store) == before)
    lock.unlock()
    #expect(try Tool.shell(line).status == 0)
    #expect(try Self.isNew())
  }

  @Test("a copy of a store that a killed command has left goes with the next command")
  func leftCopy() throws {
    try Self.lay()
    let made = try Tool.shell(
      """
      mkdir tmp && cd tmp && name=pipeline-look-00000000-0000-4000-8000-000000000001 &&
      mkdir $name && cp ../home/Notes.sqlite $name && touch $name.lock &&
      TMPDIR=$PWD pipeline inspect ../home/Notes.sqlite && ls
      """)
    #expect(made.status == 0, "\(made)")
    #expect(!made.output.contains("pipeline-look"), "\(made.output)")
  }

  @Test(
    "a large value that the user may not read ends a run with 4, before anything is written",
    .enabled(if: OtherUser.isThere, Comment(rawValue: OtherUser.need)))
  func unreadableValue() throws {
    try Self.lay()
    let name = "00000000-0000-4000-8000-00000000000A"
    let store = Self.home.appending(path: "Two.sqlite").path
    try NotesSample.makeStore(at: store, attachment: [2] + Array(name.utf8) + [0])
    let external = Self.home.appending(path: ".Two_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
    try Data("value".utf8).write(to: external.appending(path: name))
    let line = """
      cd home; export TMPDIR=$PWD
      pipeline upgrade Two.sqlite --models Notes.xcdatamodeld --to 'Notes 2' --force -o New.sqlite
      """
    #expect(try Tool.shell("chmod -R a+rwX home; chmod 000 \(external.path)/\(name)").status == 0)
    let before = try StoreRows.tables(at: store)
    let refused = try OtherUser.shell(line)
    #expect(refused.status == 4, "\(refused)")
    #expect(refused.errors.contains(name), "\(refused)")
    #expect(try StoreRows.tables(at: store) == before)
    #expect(!FileManager.default.fileExists(atPath: Self.home.path + "/New.sqlite"))
    #expect(try Tool.shell("chmod 644 \(external.path)/\(name)").status == 0)
    let done = try OtherUser.shell(line)
    #expect(done.status == 0, "\(done)")
  }
}
