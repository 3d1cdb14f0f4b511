import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Stamps", .temporaryFolder) struct StampTests {
  @Test("the stamp is the same by path and by connection, and stays", arguments: ["DELETE", "WAL"])
  func same(journal: String) throws {
    let store = try makeStore(file("a"), journal: journal)
    try store.close()
    let stamp = try Stamp(ofFile: file("a"))
    let reader = try Connection(path: file("a"), mode: .foreign)
    #expect(try reader.integer("SELECT count(*) FROM t") == 3)
    #expect(try Stamp(of: reader) == stamp)
    let coded = try JSONDecoder().decode(Stamp.self, from: JSONEncoder().encode(stamp))
    #expect(coded == stamp)
  }

  @Test("a commit changes the stamp", arguments: ["DELETE", "WAL"])
  func changes(journal: String) throws {
    let store = try makeStore(file("a"), journal: journal)
    let stamp = try Stamp(of: store)
    try store.run("UPDATE t SET v = 1", [])
    let later = try Stamp(of: store)
    #expect(later != stamp)
    if journal == "WAL" {
      #expect(later.changeCounter == stamp.changeCounter && later.walSize > stamp.walSize)
      #expect(later.walSalts == stamp.walSalts && later.walSalts.count == 8)
    } else {
      #expect(later.changeCounter == stamp.changeCounter + 1 && later.walSize == 0)
    }
  }

  @Test("a commit into a log that was begun again shows, though its length and salts stay")
  func rewound() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    for value in 2...9 { try store.run("UPDATE t SET v = ?", [.integer(Int64(value))]) }
    _ = try store.rows("PRAGMA wal_checkpoint")
    try store.run("UPDATE t SET v = 10", [])
    // As if that had been a while ago: times have the grain of the system's clock.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
      ofItemAtPath: file("a-wal"))
    let stamp = try Stamp(of: store)
    try store.run("UPDATE t SET v = 11", [])
    let later = try Stamp(of: store)
    #expect(later.walSize == stamp.walSize && later.walSalts == stamp.walSalts)
    #expect(later != stamp)
  }

  @Test("a file that a connection has open is not opened a second time for its stamp")
  func open() throws {
    let store = try makeStore(file("a"))
    #expect(sqliteError { _ = try Stamp(ofFile: file("a")) }?.refusal == .alreadyOpen)
    #expect(try Stamp(of: store).size > 0)
  }

  @Test("another file in its place has another stamp")
  func replaced() throws {
    try makeStore(file("a")).close()
    let stamp = try Stamp(ofFile: file("a"))
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("b"))
    try FileManager.default.removeItem(atPath: file("a"))
    try FileManager.default.moveItem(atPath: file("b"), toPath: file("a"))
    #expect(try Stamp(ofFile: file("a")).identity != stamp.identity)
  }
}
