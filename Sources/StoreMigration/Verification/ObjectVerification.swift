internal import CoreDataStore
internal import SQLite
internal import StoreReplacement

/// Compares the objects of one mapping, row by row, with those that they became.
struct ObjectVerification {
  private let pair: StepVerification
  private let expressions: RowExpressions
  /// Whether columns that other entities have are looked at.
  private let isFull: Bool
  private var sample: Int? { pair.sample }
  private var checks: [ColumnCheck] = []
  private var changes: [(column: StoreColumn, expression: RowExpressions.Column)] = []
  private var externals: [(column: StoreColumn, source: String)] = []
  private var source: EntityLayout { expressions.source }
  private var target: EntityLayout { expressions.target }

  /// The comparison of one mapping; without `isFull` columns that other entities have are looked at
  /// only where some object may have a value in one.
  init(_ pair: StepVerification, _ object: ObjectMapping, isFull: Bool = false) throws {
    self.pair = pair
    expressions = try RowExpressions(pair, object)
    self.isFull = try isFull || pair.mayHaveStrangers(expressions.target)
    addChecks(object)
  }

  private mutating func addChecks(_ object: ObjectMapping) {
    let all = pair.targetSchema.table(of: target)?.columns ?? []
    let links = Set(pair.travel.columns(of: object).map(\.column))
    let values = Dictionary(
      expressions.columns.filter { !links.contains($0.column) }.map { ($0.column, $0) }
    ) { first, _ in first }
    let elsewhere = Set(
      object.attributes.filter { $0.origin == .script || $0.origin == .derivation }.compactMap {
        if case .attribute(let column) = target[$0.name] { column.name } else { nil }
      })
    for column in isFull ? all : pair.columns(of: target) {
      switch column.role {
      case .primaryKey: continue
      case .saveCounter where pair.mayBeSaved: checks.append(ColumnCheck(saved: column, since: "s"))
      case .entityNumber, .saveCounter, .attribute:
        if let value = values[column.name] {
          add(value, column)
        } else if !elsewhere.contains(column.name) {
          checks.append(ColumnCheck(empty: column))
        }
      default: continue
      }
    }
    checks += pair.travel.places(of: object).flatMap { place in
      [check(place.place, place.columns), order(place.place)].compactMap(\.self)
    }
  }

  private mutating func add(_ value: RowExpressions.Column, _ column: StoreColumn) {
    if value.change != nil {
      changes.append((column, value))
    } else if pair.targetSchema.mayBeExternal(column) {
      checks.append(ColumnCheck(external: column, is: "(\(value.sql))"))
      externals.append((column, value.sql))
    } else {
      checks.append(ColumnCheck(column, is: "(\(value.sql))"))
    }
  }

  /// The place of a link that travelled: the old one, or where an order begins the owner's key.
  private func order(_ place: LinkPlace) -> ColumnCheck? {
    guard let position = place.new.position else { return nil }
    let key = "t.\(Identifier.quoted(place.new.key))"
    let old = "s.\(Identifier.quoted(place.old.key))"
    let expected: String
    switch (place.order, place.old.position) {
    case (.kept, let before?): expected = "s.\(Identifier.quoted(before))"
    case (.numbered, _): expected = key
    default: return nil
    }
    return ColumnCheck(
      place.relationship?.property ?? place.new.key, .order,
      "(t.\(Identifier.quoted(position)) IS \(expected) OR \(key) IS NOT \(old))")
  }

  /// A link that travelled: it leads where it led, or nowhere when that object was left out.
  private func check(_ place: LinkPlace, _ columns: [(column: String, sql: String)]) -> ColumnCheck
  {
    let same = columns.filter { $0.column != place.new.position }.map {
      "t.\(Identifier.quoted($0.column)) IS (\($0.sql))"
    }
    .joined(separator: " AND ")
    let name = place.relationship?.property ?? place.new.key
    let numbers =
      place.other.members.filter(\.mayBeLeftOut).map(\.source) + place.other.strangers
    guard place.other.mayLose, !numbers.isEmpty else {
      return ColumnCheck(name, .link, "(\(same))")
    }
    let old = "s.\(Identifier.quoted(place.old.key))"
    let isGone = """
      t.\(Identifier.quoted(place.new.key)) IS NULL
      AND EXISTS (SELECT 1 FROM \(Identifier.quoted(place.other.sourceTable, in: "source")) AS f
      WHERE f.Z_PK = \(old) AND f.Z_ENT IN (\(LinkReading.list(numbers))))
      AND NOT EXISTS (SELECT 1 FROM main.\(place.other.targetTable) AS o WHERE o.Z_PK = \(old))
      """
    return ColumnCheck(name, .link, "((\(same)) OR (\(isGone)))")
  }
}

// The comparison.
extension ObjectVerification {
  /// The rows of the source, `s`, each with the row that it became, `t`; those without one, too.
  private var rows: String { "\(joined(by: "LEFT JOIN")) \(condition)" }

  private func joined(by join: String) -> String {
    let object = expressions.object
    let association =
      object.keys == .kept
      ? ""
      : """
      \(join) \(BuilderTables.objects) AS p ON p.source_entity = \(source.number)
      AND p.source = s.Z_PK AND p.entity = \(target.number)
      """
    let key = object.keys == .kept ? "s.Z_PK" : "p.object"
    return """
      FROM \(Identifier.quoted(source.table, in: "source")) AS s \(association)
      \(join) main.\(Identifier.quoted(target.table)) AS t ON t.Z_PK = \(key)
      """
  }

  /// The rows of the source that are meant.
  private var condition: String {
    """
    WHERE s.Z_ENT = \(source.number)
    \(expressions.conditions.map { "AND (\($0))" } ?? "") \(sampled)
    """
  }

  private var sampled: String {
    sample.map { "AND s.Z_PK IN (\(SampledKeys($0, of: source, in: "source").sql))" } ?? ""
  }

  /// Compares; gives back how many objects of the source should be there, and whether all are, as
  /// they should be.
  func run(_ result: inout VerificationResult) throws -> (count: Int, isWhole: Bool) {
    if sample == nil, let count = pair.countOfUntouched(source) {
      result.objects += count
      return (count, true)
    }
    let good = ColumnCheck.all(checks)
    let isAll = sample == nil && expressions.conditions == nil
    let count =
      try (isAll ? pair.count(of: source) : nil).map(Int64.init)
      ?? pair.connection.integer(
        "SELECT count(*) FROM \(Identifier.quoted(source.table, in: "source")) AS s \(condition)")
    // Two counts cost half of one statement that looks at every check of every row: what stands
    // behind WHERE ends at the first check that fails. CROSS JOIN "prevents the query optimizer
    // from reordering the tables in the join" (SQLite, SELECT): both are read in the order of keys.
    let found = try pair.connection.integer(
      "SELECT count(*) \(joined(by: "CROSS JOIN")) \(condition) AND (\(good))",
      expressions.bindings)
    let isWhole = found == count
    // What is wrong is listed with all columns.
    if !isWhole {
      try (isFull ? self : ObjectVerification(pair, expressions.object, isFull: true)).list(&result)
    }
    if !changes.isEmpty { try compareChanges(&result) }
    for external in externals { try compareFiles(external, &result) }
    result.objects += Int(count ?? 0)
    return (Int(count ?? 0), isWhole && sample == nil)
  }

  private func list(_ result: inout VerificationResult) throws {
    let isGood = "t.Z_PK IS NOT NULL AND (\(ColumnCheck.all(checks)))"
    let columns = (["s.Z_PK", "t.Z_PK"] + checks.map(\.sql)).joined(separator: ", ")
    let statement = try pair.connection.prepare(
      "SELECT \(columns) \(rows) AND (\(isGood)) IS NOT 1 ORDER BY s.Z_PK")
    try bind(statement)
    while try statement.step() {
      guard let key = statement.row.integer(1) else {
        // What a script left out is missing when it runs again as well.
        guard !expressions.object.isScripted else { continue }
        try pair.add(
          VerificationDifference(.missing, source.name, statement.row.integer(0) ?? 0),
          to: &result)
        continue
      }
      for (place, check) in checks.enumerated() where statement.row.integer(place + 2) != 1 {
        try pair.add(
          VerificationDifference(check.kind, target.name, key, check.property), to: &result)
      }
    }
  }

  /// Gives a statement the values that it uses: not each selects every column.
  private func bind(_ statement: Statement) throws(SQLiteError) {
    try statement.bind(Array(expressions.bindings.prefix(statement.parameterCount)))
  }

  /// Values that SQL alone cannot carry over, and so cannot compare.
  private func compareChanges(_ result: inout VerificationResult) throws {
    let columns = changes.flatMap { change in
      [change.expression.sql, "t.\(Identifier.quoted(change.column.name))"]
    }
    let list = (["s.Z_PK", "t.Z_PK"] + columns).joined(separator: ", ")
    let statement = try pair.connection.prepare(
      "SELECT \(list) \(rows) AND t.Z_PK IS NOT NULL ORDER BY s.Z_PK")
    try bind(statement)
    while try statement.step() {
      let key = statement.row.integer(0) ?? 0
      for (place, change) in changes.enumerated() {
        let expected = try change.expression.change?.value(
          of: try statement.row.value(2 * place + 2), key: key)
        let found = try statement.row.value(2 * place + 3)
        if try found == expected ?? .null || isFile(found, of: expected) { continue }
        try pair.add(
          VerificationDifference(
            .value, target.name, statement.row.integer(1) ?? 0, change.column.propertyName),
          to: &result)
      }
    }
  }

  /// Whether a value went from the row into a file, whole.
  private func isFile(_ found: Value, of expected: Value?) throws -> Bool {
    guard let expected = expected?.blob, expected.first == ExternalReference.inlineMark,
      let reference = found.blob.flatMap(ExternalReference.init(stored:)),
      let digest = try pair.target.digest(of: reference)
    else { return false }
    return digest == FileDigest(of: expected.dropFirst())
  }

  /// The files of large values, unless both are the same one.
  private func compareFiles(
    _ external: (column: StoreColumn, source: String), _ result: inout VerificationResult
  ) throws {
    let column = "t.\(Identifier.quoted(external.column.name))"
    let statement = try pair.connection.prepare(
      "SELECT t.Z_PK, \(external.source), \(column) \(rows) AND \(ColumnCheck.isReference(column))")
    try bind(statement)
    while try statement.step() {
      guard let new = try statement.row.blob(2).flatMap(ExternalReference.init(stored:)),
        let old = try statement.row.blob(1).flatMap(ExternalReference.init(stored:))
      else { continue }
      if try !pair.isSame(old, new) {
        try pair.add(
          VerificationDifference(
            .blob, target.name, statement.row.integer(0) ?? 0, external.column.propertyName),
          to: &result)
      }
    }
  }
}
