import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Tables of pairs that come over as they are", .temporaryFolder)
struct StraightJoinTests {
  private static func toMany(_ name: String, _ destination: String, _ inverse: String) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" "
      + "destinationEntity=\"\(destination)\" "
      + "inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
  }

  private static let xml =
    "<entity name=\"A\">\(toMany("r", "B", "s"))</entity>"
    + "<entity name=\"B\">\(toMany("s", "A", "r"))</entity>"

  /// The pairs of a store whose table of pairs a statement has made different; it is TABLE, with
  /// the columns ONE and TWO.
  private func pairs(_ change: String) throws -> [[Value]] {
    var join: JoinTable?
    let sample = try LinkSample(Self.xml, Self.xml) { store, schema in
      for key in Int64(1)...2 { try LinkSample.insert(store, schema, "A", key) }
      for key in Int64(1)...3 { try LinkSample.insert(store, schema, "B", key) }
      join = schema.joinTables.first
      guard let join else { return }
      try store.execute(
        "INSERT INTO \(join.name) (\(join.first), \(join.second)) VALUES (2, 1), (1, 3), (1, 2)")
      try store.execute(
        change.replacing("TABLE_", with: join.name).replacing("ONE", with: join.first)
          .replacing("TWO", with: join.second))
    }
    let builder = try sample.copied()
    let counts = try LinkCopy(builder).run()
    let new = try #require(join)
    let rows = try builder.connection.rows(
      "SELECT \(new.first), \(new.second) FROM \(new.name) ORDER BY 1, 2")
    #expect(counts.map(\.kept) == [rows.count])
    try builder.close()
    return rows
  }

  private static let all: [[Value]] = [
    [.integer(1), .integer(2)], [.integer(1), .integer(3)], [.integer(2), .integer(1)],
  ]

  @Test("pairs are what they were")
  func plain() throws { #expect(try pairs("") == Self.all) }

  @Test("columns in another order are found by name")
  func permuted() throws {
    let change = """
      ALTER TABLE TABLE_ RENAME TO old;
      CREATE TABLE TABLE_ (TWO INTEGER, ONE INTEGER, PRIMARY KEY (ONE, TWO));
      INSERT INTO TABLE_ (ONE, TWO) SELECT ONE, TWO FROM old;
      """
    #expect(try pairs(change) == Self.all)
  }

  @Test("a pair that leads nowhere stays, as Core Data leaves it")
  func dangling() throws {
    let found = try pairs("INSERT INTO TABLE_ (ONE, TWO) VALUES (1, 99)")
    #expect(found == [Self.all[0], Self.all[1], [.integer(1), .integer(99)], Self.all[2]])
  }

  @Test(
    "pairs that no relationship can have do not come over",
    arguments: [
      "INSERT INTO TABLE_ (ONE, TWO) VALUES (1, NULL)",
      "INSERT INTO TABLE_ (ONE, TWO) VALUES (NULL, 1)",
      """
      ALTER TABLE TABLE_ RENAME TO old; CREATE TABLE TABLE_ (ONE INTEGER, TWO INTEGER);
      INSERT INTO TABLE_ (ONE, TWO) SELECT ONE, TWO FROM old;
      INSERT INTO TABLE_ (ONE, TWO) SELECT ONE, TWO FROM old
      """,
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (9, 77, 1);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (9, 77, 1);
      INSERT INTO TABLE_ (ONE, TWO) VALUES (9, 9)
      """,
    ])
  func strange(change: String) throws {
    #expect(try pairs(change) == Self.all)
  }
}
