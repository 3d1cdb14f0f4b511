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
    try lay("mkdir stores stores/closed; cp Notes.sqlite stores/a.sqlite; chmod 0 stores/closed")
    defer { try? leave("stores/closed") }
    let look = try OtherUser.shell("pipeline fleet stores")
    #expect(look.status == 1, "\(look)")
    #expect(look.output.contains("1 to be run"), "\(look)")
    #expect(look.output.contains("stores/closed: Permission denied."), "\(look)")
    #expect(!look.output.contains("Nothing is left to do"), "\(look)")
    let versions = try OtherUser.shell("pipeline inspect stores")
    #expect(versions.status == 1, "\(versions)")
    #expect(versions.errors.contains("cannot read stores/closed"), "\(versions)")
    let named = try OtherUser.shell("pipeline fleet stores/closed")
    #expect(named.status == 4, "\(named)")
  }
}
