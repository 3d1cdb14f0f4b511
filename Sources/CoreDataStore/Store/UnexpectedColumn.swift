internal import SQLite

/// A column of an attribute, and the condition that finds values of another type in it.
///
/// Core Data reads such a value as whatever SQLite makes of it; here it is carried as it is.
struct UnexpectedColumn {
  let attribute: PropertyReference
  /// The condition that a row holds such a value.
  let condition: String
  private let name: String
  private let type: AttributeType
  private var column: String { Identifier.quoted(name) }

  /// The column, when values of its type can be recognised.
  init?(_ column: StoreColumn, in schema: StoreSchema) {
    guard case .attribute(let reference) = column.role,
      let type = schema.model.attribute(reference.property, ofEntity: reference.entity)?.type,
      let condition = Self.condition(Identifier.quoted(column.name), type)
    else { return nil }
    (attribute, self.condition, self.type) = (reference, condition, type)
    name = column.name
  }

  /// Whether the classes of the column's values show that none is of another type.
  func isMissing(in rows: WalkedRows) -> Bool {
    let classes: Set<StorageClass> =
      switch type.facts.form {
      case .whole, .boolean: [.null, .integer]
      case .real, .decimal, .date: [.null, .integer, .real]
      case .text: [.null, .integer, .real, .text]
      case .bytes: [.null, .blob]
      // A blob of another length would be one.
      case .uuid: [.null]
      case .none: []
      }
    return rows.has(only: classes, in: name)
  }

  /// The condition that finds such a value without loading one that may be long.
  ///
  /// For typeof(), and length() of a blob, SQLite looks at the row's head alone. A column's
  /// affinity makes texts of numbers in a VARCHAR, and numbers of such texts in the others (SQLite,
  /// Datatypes, 3), so that there is no need to ask for these.
  private static func condition(_ column: String, _ type: AttributeType) -> String? {
    switch type.facts.form {
    case .whole, .boolean: "(\(column) | 0) IS NOT \(column)"
    case .real, .decimal, .date: "\(column) >= ''"
    case .text: "typeof(\(column)) = 'blob'"
    case .bytes: "typeof(\(column)) NOT IN ('blob', 'null')"
    case .uuid: "(typeof(\(column)) NOT IN ('blob', 'null') OR length(\(column)) <> 16)"
    case .none: nil
    }
  }

  /// The warning about the values in a table; nil when there are none.
  func warning(of table: String, _ connection: Connection) throws -> StoreWarning? {
    let row = try connection.rows(
      """
      SELECT count(*), group_concat(DISTINCT typeof(\(column))) FROM \(Identifier.quoted(table))
      WHERE \(condition)
      """
    ).first
    guard let count = row?[0].integer, count > 0, let kinds = row?[1].string else { return nil }
    let what = count == 1 ? "1 value is" : "\(count) values are"
    return StoreWarning(
      "\(attribute)",
      "\(what) not of the type \(type.name) that the model says, but "
        + "\(kinds.replacing(",", with: ", ")): carried as "
        + (count == 1 ? "it is." : "they are."))
  }
}
