internal import CoreDataStore
internal import SQLite

/// Which columns of a new store are as they were in the old one, as a look at the rows of each
/// shows: for all rows at once, without a comparison row by row.
package struct KeptColumns: Sendable {
  private var old: [String: PageWalk.Answer] = [:]
  private var new: [String: PageWalk.Answer] = [:]

  /// Nothing is known of any column: all of them are compared.
  package init() {}

  /// Looks at the rows of tables of both stores, `source` and `main` of a connection.
  init(_ connection: Connection, old: Set<String>, new: Set<String>) throws(SQLiteError) {
    let key: [UInt64] = [.random(in: .min ... .max), .random(in: .min ... .max)]
    func answers(
      _ tables: Set<String>, _ database: String
    ) throws(SQLiteError) -> [String: PageWalk.Answer] {
      let names = tables.sorted()
      let questions = names.map { name in
        var question = PageWalk.Question(name)
        question.counted = "Z_ENT"
        return question
      }
      guard let found = try connection.scan(questions, in: database, key: key) else { return [:] }
      return Dictionary(zip(names, found)) { first, _ in first }
    }
    self.old = try answers(old, "source")
    if !self.old.isEmpty { self.new = try answers(new, "main") }
  }

  /// How many objects of an entity are objects of one of the new store by the same keys, where that
  /// is so of all of them, and no other objects are in either table; nil where it does not show.
  func count(of entity: EntityLayout, as target: EntityLayout) -> Int? {
    func isAlone(_ answer: PageWalk.Answer, _ entity: EntityLayout) -> Bool {
      answer.numbers == [Int64(entity.number): Int(clamping: answer.count)]
    }
    guard let before = old[entity.table], let after = new[target.table],
      isAlone(before, entity), isAlone(after, target),
      areSame("Z_PK", of: entity.table, "Z_PK", of: target.table)
    else { return nil }
    return Int(clamping: before.count)
  }

  /// Whether each row of a table has in a column what the row of the same key has in one of the
  /// new store, by class and bits.
  func areSame(
    _ column: String, of table: String, _ newColumn: String, of newTable: String
  ) -> Bool {
    guard let before = old[table], let after = new[newTable], before.count == after.count,
      let sum = before.sums[column]
    else { return false }
    return sum == after.sums[newColumn]
  }

  /// The values in a column of the old store, where all rows are of these entities.
  func values(in column: String, of table: String, _ family: ClosedRange<Int>) -> Int? {
    guard let answer = old[table], let values = answer.values[column],
      answer.numbers?.keys.allSatisfy({ family.contains(Int(clamping: $0)) }) == true
    else { return nil }
    return Int(clamping: values)
  }
}
