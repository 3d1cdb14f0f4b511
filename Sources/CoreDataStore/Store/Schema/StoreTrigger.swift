package struct StoreTrigger: Hashable, Sendable {
  package let name: String
  /// The table whose changes set it off.
  package let table: String
  /// The statement that makes it.
  package let sql: String

  /// A trigger for each row, after something has been done.
  init(_ name: String, after event: String, on table: String, when: String = "", _ body: [String]) {
    self.name = name
    self.table = table
    let start = "CREATE TRIGGER \(name) AFTER \(event) ON \(table) FOR EACH ROW"
    let condition = when.isEmpty ? "" : " WHEN (\(when))"
    sql = "\(start)\(condition) BEGIN \(body.map { "\($0); " }.joined())END"
  }
}
