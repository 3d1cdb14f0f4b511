import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Stores that another user looks at than the one who migrated them.
@Suite(
  "A look at the stores of another user", .temporaryFolder,
  .enabled(if: OtherUser.isThere, Comment(rawValue: OtherUser.need)))
struct FleetOtherUserTests {
  /// Runs shell as the tests' user, who lays the stores.
  private func lay(_ line: String) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try Tool.shell("set -e; chmod 644 Notes.sqlite; \(line)")
    try #require(outcome.status == 0, "\(outcome)")
  }

  /// Lets the folders be removed again.
  private func leave(_ names: String...) throws {
    _ = try Tool.shell("chmod 700 \(names.joined(separator: " "))")
  }

  @Test("a folder that cannot be read is named, and the others are shown")
  func closed() throws {
    try lay(
      """
      mkdir stores stores/closed; cp Notes.sqlite stores/a.sqlite; chmod 0 stores/closed
      sed 's|format = 1,|format = 1, store = "stores/*/*.sqlite",|' notes.pipeline > many.pipeline
      """)
    defer { try? leave("stores/closed") }
    let look = try OtherUser.shell("pipeline fleet stores")
    #expect(look.status == 1, "\(look)")
    #expect(look.output.contains("1 to be run"), "\(look)")
    #expect(look.output.contains("stores/closed: Permission denied."), "\(look)")
    #expect(!look.output.contains("Nothing is left to do"), "\(look)")
    let versions = try OtherUser.shell("pipeline inspect stores")
    #expect(versions.status == 1, "\(versions)")
    #expect(versions.errors.contains("cannot read stores/closed"), "\(versions)")
    let list = try OtherUser.shell("pipeline fleet stores --list 'never run'")
    #expect(list.status == 1 && list.output == "stores/a.sqlite\n", "\(list)")
    #expect(list.errors.contains("cannot read stores/closed"), "\(list)")
    let pattern = try OtherUser.shell("pipeline plan many.pipeline")
    #expect(pattern.status == 4 && pattern.errors.contains("stores/closed: "), "\(pattern)")
    let named = try OtherUser.shell("pipeline fleet stores/closed")
    #expect(named.status == 4, "\(named)")
  }

  @Test("files that cannot be read and may be stores are counted, hidden ones too")
  func unreadable() throws {
    try lay(
      """
      mkdir stores; cp Notes.sqlite stores/a.sqlite
      for name in .hidden shown .hidden-wal; do
        cp Notes.sqlite stores/$name; chmod 0 stores/$name
      done
      """)
    let look = try OtherUser.shell("pipeline fleet stores --list 'never run'")
    #expect(look.status == 0 && look.output == "stores/a.sqlite\n", "\(look)")
    #expect(look.errors.contains("2 files that cannot be read and may be a store"), "\(look)")
    #expect(!look.errors.contains("hidden entr"), "\(look)")
  }

  @Test("a run whose work folder cannot be read is unknown, and the store is not called unmigrated")
  func work() throws {
    try lay(
      """
      mkdir stores; cp Notes.sqlite stores/a.sqlite; cp Notes.sqlite stores/b.sqlite
      pipeline run notes.pipeline stores/a.sqlite --until copy -q > text
      pipeline run notes.pipeline stores/b.sqlite -q > text
      chmod 644 stores/*.sqlite; chmod 0 stores/*.sqlite.pipeline
      """)
    defer { try? leave("stores/*.sqlite.pipeline") }
    let look = try OtherUser.shell("pipeline fleet stores")
    #expect(look.status == 1, "\(look)")
    // The second store says itself that it was migrated.
    #expect(look.output.contains("1 done, 1 failed"), "\(look)")
    let document = try OtherUser.shell("pipeline fleet stores --json").output
    #expect(document.contains("Its work folder cannot be read: Permission denied."), "\(document)")
    #expect(document.contains("as the user who migrates the store"), "\(document)")
    for name in ["a", "b"] {
      #expect(look.output.contains("stores/\(name).sqlite.pipeline: Permission denied."), "\(look)")
    }
    let list = try OtherUser.shell("pipeline fleet stores --list unknown")
    #expect(list.output == "stores/a.sqlite\n", "\(list)")
  }
}
