import SQLite
import Testing

@Suite("CHECK clauses of a table")
struct CheckClausesTests {
  @Test(
    "they are found as they are written, wherever they stand",
    arguments: [
      ("CREATE TABLE a (b)", []),
      ("CREATE TABLE a (b INTEGER CHECK (b > 0))", ["CHECK (b > 0)"]),
      ("create table a (b, check(b<>')'), Check\n( (b) ))", ["check(b<>')')", "Check\n( (b) )"]),
      ("CREATE TABLE a (b CHECK /* ( */ (b -- )\n = 1))", ["CHECK /* ( */ (b -- )\n = 1)"]),
      ("CREATE TABLE a (\"CHECK (\" INTEGER, [check (], `check (` , 'CHECK (' x)", []),
      ("CREATE TABLE a (\"b\"\"\" CHECK(\"b\"\"\" = '''('))", ["CHECK(\"b\"\"\" = '''(')"]),
      ("CREATE TABLE checks (check_ INTEGER, recheck (1))", []),
      ("CREATE TABLE a (b CHECK", []), ("CREATE TABLE a (b CHECK ((b)", []),
      ("CREATE TABLE a (b CHECK b (1))", []), ("CREATE TABLE a (b /* CHECK (1)", []),
      ("", []),
    ])
  func found(sql: String, clauses: [String]) { #expect(CheckClauses.of(sql) == clauses) }
}
