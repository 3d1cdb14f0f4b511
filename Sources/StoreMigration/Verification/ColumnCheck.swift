internal import CoreDataStore
internal import SQLite

/// Whether a column of a row of the new store, `t`, is as it should be, as SQL: 1 when it is, 0 or
/// NULL when it is not.
struct ColumnCheck {
  /// The property that the column is of.
  let property: String
  /// What is wrong when it is not.
  let kind: VerificationDifference.Kind
  /// 1 when it is as it should be, and nothing else: to be asked with IS, as NOT (NULL) is NULL.
  let sql: String

  /// A column that must have the value of an expression.
  ///
  /// "IS" makes no difference between 1 and 1.0, which only a column without affinity can hold
  /// both (SQLite, Datatypes).
  init(_ column: StoreColumn, is expected: String) {
    let found = "t.\(Identifier.quoted(column.name))"
    // "An INTEGER or REAL value is less than any TEXT or BLOB value" (SQLite, Datatypes): only of
    // these the types can differ, and asking costs more than comparing the rest of the row.
    let types = "\(found) IS NULL OR \(found) >= '' OR typeof(\(found)) = typeof(\(expected))"
    self.init(
      column.propertyName, .value,
      "\(found) IS \(expected)" + (column.type == .blob ? " AND (\(types))" : ""))
  }

  /// A column whose values may be in files: that two files are equal is seen elsewhere.
  init(external column: StoreColumn, is expected: String) {
    let found = "t.\(Identifier.quoted(column.name))"
    self.init(
      column.propertyName, .value,
      "(\(found) IS \(expected) OR (\(Self.isReference(found)) AND \(Self.isReference(expected))))")
  }

  /// A column that must be empty.
  init(empty column: StoreColumn) {
    self.init(column.propertyName, .value, "t.\(Identifier.quoted(column.name)) IS NULL")
  }

  /// The save counter of an object that others may have saved since.
  init(saved column: StoreColumn, since source: String) {
    let name = Identifier.quoted(column.name)
    self.init(
      column.propertyName, .value, "ifnull(t.\(name), 0) >= ifnull(\(source).\(name), 0)")
  }

  init(_ property: String, _ kind: VerificationDifference.Kind, _ sql: String) {
    (self.property, self.kind, self.sql) = (property, kind, sql)
  }

  /// Whether an expression is the reference to a file.
  static func isReference(_ value: String) -> String {
    "length(\(value)) = \(ExternalReference.length) AND substr(\(value), 1, 1) = x'02'"
  }

  /// All checks as one expression, as flat as SQLite wants it.
  static func all(_ checks: [ColumnCheck]) -> String {
    ConditionTranslation.joined(checks.map(\.sql)[...], by: "AND") ?? "1"
  }
}

extension StoreColumn {
  /// What the column is called in a report.
  var propertyName: String { property?.property ?? name }
}
