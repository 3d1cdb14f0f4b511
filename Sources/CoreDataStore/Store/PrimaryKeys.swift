internal import SQLite

/// What Z_PRIMARYKEY says: the numbers of the entities, and the highest Z_PK each gave out.
package struct PrimaryKeys: Sendable {
  /// One row.
  package struct Entry: Sendable, Hashable {
    /// The entity's number, Z_ENT.
    package let number: Int64
    /// The entity's name, as it was when the row was made.
    package let name: String
    /// The number of the entity it inherits from; 0 for none.
    package let parent: Int64
    /// The highest Z_PK ever used in the entity's table; 0 for sub-entities.
    package let maximum: Int64
  }

  /// The rows, by number.
  package let entries: [Entry]
  private let byNumber: [Int64: Entry]
  private let byName: [String: Entry]

  init(entries: [Entry]) {
    self.entries = entries
    byNumber = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
    let own = entries.filter { $0.number < Self.firstOwnNumber }
    byName = Dictionary(own.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The rows of Core Data's own bookkeeping, history above all, have numbers from here on.
  package static let firstOwnNumber: Int64 = 16_000

  /// The row of this name, of the application's entities.
  package func entry(named name: String) -> Entry? { byName[name] }

  package func entry(number: Int64) -> Entry? { byNumber[number] }
}

extension Store {
  /// A model has some hundred entities at most.
  private static let mostEntities = 100_000

  /// The rows of Z_PRIMARYKEY.
  package func primaryKeys() throws -> PrimaryKeys {
    let table = "Z_PRIMARYKEY"
    return try reading("cannot read the entities' numbers", of: table) {
      try tables.require(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], of: table)
      var entries: [PrimaryKeys.Entry] = []
      try connection.query(
        """
        SELECT Z_ENT, Z_NAME, ifnull(Z_SUPER, 0), ifnull(Z_MAX, 0) FROM Z_PRIMARYKEY
        ORDER BY Z_ENT LIMIT \(Self.mostEntities + 1)
        """
      ) { row in
        guard row.type(0) == .integer, row.type(1) == .text, row.type(2) == .integer,
          row.type(3) == .integer, let name = try row.string(1)
        else { throw damage("A row of it does not consist of numbers and a name.") }
        entries.append(
          PrimaryKeys.Entry(
            number: row.integer(0) ?? 0, name: name, parent: row.integer(2) ?? 0,
            maximum: row.integer(3) ?? 0))
      }
      guard entries.count <= Self.mostEntities else { throw damage("It has too many rows.") }
      guard entries.allSatisfy({ $0.number >= 1 }) else {
        throw damage("An entity's number in it is below 1.")
      }
      guard Set(entries.map(\.number)).count == entries.count else {
        throw damage("Two entities have the same number.")
      }
      return PrimaryKeys(entries: entries)
    }
  }

  private func damage(_ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot read the entities' numbers", subject: subject("Z_PRIMARYKEY"),
      why: why, remedy: Failure.restore)
  }
}
