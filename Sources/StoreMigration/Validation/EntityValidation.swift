internal import CoreDataStore
internal import SQLite

/// Checks the rows of one entity against its rules, reading its table once.
struct EntityValidation {
  /// SQLite takes some thousand columns; a hundred rules are one reading.
  private static let rulesAtOnce = 100

  private let connection: Connection
  private let layout: EntityLayout
  private let rows: CheckedRows
  private let sources: SourceChecks?
  private let showsValues: Bool
  private let breakers: RuleBreakers

  /// The rows are those of the entity in `main` unless others are given; the validations of all
  /// entities have the same `breakers`.
  init(
    _ breakers: RuleBreakers, _ layout: EntityLayout, _ sources: SourceChecks?, values: Bool,
    rows: CheckedRows? = nil
  ) {
    self.breakers = breakers
    connection = breakers.connection
    self.layout = layout
    self.rows = rows ?? CheckedRows(of: layout)
    self.sources = sources
    showsValues = values
  }

  /// Adds every row that breaks a rule.
  func run(_ all: [RowCheck], _ failures: inout FailureList) throws {
    let checks = try all.filter { check in
      try check.breakers.map { try breakers.numbers($0).contains(Int64(layout.number)) } ?? true
    }
    for start in stride(from: 0, to: checks.count, by: Self.rulesAtOnce) {
      let end = min(start + Self.rulesAtOnce, checks.count)
      try read(Array(checks[start..<end]), &failures)
    }
  }

  private func read(_ checks: [RowCheck], _ failures: inout FailureList) throws {
    let condition = ConditionTranslation.joined(checks.map(\.search)[...], by: "OR") ?? "0"
    // SQLite may read an index that has all the columns, in its order. The sign keeps it free to do
    // so: only the rows that break a rule are sorted.
    let sql = """
      SELECT s.Z_PK, \(checks.map(\.selection).joined(separator: ", ")) FROM \(rows.table) AS s \
      WHERE \(rows.condition) AND (\(condition)) ORDER BY +s.Z_PK
      """
    var details: [Int: RowDetail] = [:]
    let statement = try connection.prepare(sql)
    while try statement.step() {
      let key = statement.row.integer(0) ?? 0
      for (place, check) in checks.enumerated()
      where check.isBroken(try statement.row.value(place + 1)) {
        var detail = try details[place] ?? RowDetail(check, layout, rows, sources)
        let isOld = try detail.isInSource(key, connection)
        failures.add(
          entity: rows.entity, key: key, property: check.propertyNames, rule: check.rule,
          inSource: isOld, value: showsValues ? try detail.value(key, connection) : nil)
        details[place] = detail
      }
    }
  }
}

/// The entities that have rows which break a rule, asked once for all that inherit it.
final class RuleBreakers {
  let connection: Connection
  private var known: [String: Set<Int64>] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// The numbers that a query gives.
  func numbers(_ query: String) throws -> Set<Int64> {
    if let numbers = known[query] { return numbers }
    let numbers = Set(try connection.rows(query).compactMap { $0[0].integer })
    known[query] = numbers
    return numbers
  }
}

/// What is asked of a row that breaks a rule; most rules are broken by none.
private struct RowDetail {
  private let check: RowCheck
  private let rows: CheckedRows
  private let isInSource: String?
  private let renumbered: String?
  private var statements: [String: Statement] = [:]
  private var allowance: Int64?

  init(
    _ check: RowCheck, _ layout: EntityLayout, _ rows: CheckedRows, _ sources: SourceChecks?
  ) throws {
    self.check = check
    self.rows = rows
    isInSource = try sources?.isInSource(check, of: layout)
    renumbered = try sources?.renumbered(check, of: layout)
  }

  /// Whether the violation stood in the source.
  mutating func isInSource(_ key: Int64, _ connection: Connection) throws -> Bool {
    if let isInSource, try ask(isInSource, key, connection).integer == 1 { return true }
    guard let renumbered else { return false }
    let left = try allowance ?? connection.integer("SELECT \(renumbered)") ?? 0
    allowance = max(left - 1, 0)
    return left > 0
  }

  /// The value that breaks the rule; nil when it is several.
  mutating func value(_ key: Int64, _ connection: Connection) throws -> AttributeValue? {
    guard check.values.count == 1 else { return nil }
    let stored = try ask(check.values[0], key, connection)
    if let storage = check.storage { return storage.value(of: stored) }
    return stored.integer.map(AttributeValue.integer) ?? .null
  }

  private mutating func ask(
    _ question: String, _ key: Int64, _ connection: Connection
  ) throws -> Value {
    let statement =
      try statements[question]
      ?? connection.prepare(
        """
        SELECT \(question) FROM \(rows.table) AS s WHERE s.Z_PK = ?1 AND \(rows.condition)
        """)
    statements[question] = statement
    try statement.bind([.integer(key)])
    defer { statement.reset() }
    return try statement.step() ? try statement.row.value(0) : .null
  }
}
