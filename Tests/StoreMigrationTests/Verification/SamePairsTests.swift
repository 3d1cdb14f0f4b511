import Foundation
import SQLite
@testable import StoreMigration
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Tables of pairs", .temporaryFolder)
struct SamePairsTests {
  /// A store with pairs, a row each.
  private func make(_ name: String, _ pairs: String, _ more: String = "") throws -> String {
    let path = TemporaryFolder.url.appending(path: name).path
    let store = try Connection(path: path, mode: .own(create: true))
    try store.execute(
      "CREATE TABLE P (A INTEGER, B INTEGER, PRIMARY KEY (A, B)) \(more); "
        + "INSERT INTO P VALUES \(pairs)")
    try store.close()
    return path
  }

  private func areSame(_ old: String, _ new: String) throws -> Bool {
    let connection = try Connection(path: new, mode: .foreign)
    try connection.attach(old, as: "source", .readOnly)
    return try SamePairs(connection, "P", "P").areSame(["t.A = s.A", "t.B = s.B"])
  }

  static let others = [
    "(1, 1), (2, 2)", "(1, 1), (2, 2), (3, 4)", "(1, 1), (2, 2), (3, 3), (4, 4)",
  ]

  @Test("one pair missing, another or more is seen", arguments: others)
  func different(pairs: String) throws {
    #expect(try !areSame(make("a", "(1, 1), (2, 2), (3, 3)"), make("b", pairs)))
  }

  @Test(
    "the same pairs in another order are the same, with rowids and without",
    arguments: ["", "WITHOUT ROWID"])
  func same(more: String) throws {
    let old = try make("a", "(1, 1), (2, 2), (3, 3)", more)
    #expect(try areSame(old, make("b", "(1, 1), (2, 2), (3, 3)")))
    #expect(try areSame(old, make("c", "(3, 3), (1, 1), (2, 2)")))
  }
}
