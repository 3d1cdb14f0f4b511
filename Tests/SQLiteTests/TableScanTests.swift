import SQLite
import TestSupport
import Testing

@Suite("A look at the rows of tables", .temporaryFolder) struct TableScanTests {
  private static let key: [UInt64] = [1, 2]

  /// The sums of the columns of a table with these rows.
  private func sums(_ rows: String, key: [UInt64] = Self.key) throws -> [String: UInt64] {
    let store = try Connection(
      path: file("\(UInt64.random(in: 0 ... .max)).sqlite"), mode: .own(create: true))
    try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES \(rows)")
    return try #require(try store.scan([PageWalk.Question("t")], key: key)?.first).sums
  }

  @Test("columns with the same values in the same rows have the same sums") func same() throws {
    let rows = "(1, 'a', 1.5), (2, NULL, x'00'), (300000, -7, 'ä')"
    let other = "(300000, -7, 'ä'), (2, NULL, x'00'), (1, 'a', 1.5)"
    #expect(try sums(rows) == sums(other))
    #expect(try sums(rows).keys.sorted() == ["a", "b", "k"])
    #expect(try sums(rows) != sums(rows, key: [1, 3]))
  }

  @Test(
    "whatever differs in a column changes its sum, and no other one",
    arguments: [
      "(1, 'a', 1), (2, 'b', 2)", "(1, 'A', 1), (2, 'a', 2)", "(1, NULL, 1), (2, 'b', 2)",
      "(1, x'61', 1), (2, 'b', 2)", "(1, 'a' || char(0), 1), (2, 'b', 2)",
      "(1, 97, 1), (2, 'b', 2)",
      "(1, 97.0, 1), (2, 'b', 2)",
    ])
  func different(rows: String) throws {
    let (one, other) = (try sums("(1, 'b', 1), (2, 'a', 2)"), try sums(rows))
    #expect(one["a"] != other["a"])
    #expect(one["b"] == other["b"] && one["k"] == other["k"])
  }

  @Test("rows of other keys have other sums") func keys() throws {
    let (one, other) = (
      try sums("(1, NULL, 1), (2, NULL, 2)"), try sums("(1, NULL, 1), (3, NULL, 2)")
    )
    for column in ["a", "b", "k"] { #expect(one[column] != other[column]) }
  }

  @Test("a column with a value that is partly on another page has no sum") func long() throws {
    let sums = try sums("(1, 'a', zeroblob(9000)), (2, 'b', NULL)")
    #expect(sums.keys.sorted() == ["a", "k"])
  }

  @Test("a column in which a row has its default value has no sum") func missing() throws {
    let store = try makeStore(file("a.sqlite"))
    try store.execute("ALTER TABLE t ADD COLUMN w DEFAULT 5")
    let answer = try #require(try store.scan([PageWalk.Question("t")], key: Self.key)?.first)
    #expect(answer.sums.keys.sorted() == ["k", "v"])
    #expect(try store.scan([PageWalk.Question("t")])?.first?.sums == [:])
  }
}
