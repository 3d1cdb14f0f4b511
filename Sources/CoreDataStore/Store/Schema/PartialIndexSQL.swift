internal import Formats

/// Translates the condition of a partial index into SQL.
///
/// That `title != nil` becomes `ZTITLE IS NOT NULL` is what Core Data was seen to write. For the
/// rest its words are not known: the translation is exact in meaning, and what could mean
/// something else in Core Data is named instead.
struct PartialIndexSQL {
  /// What was not understood.
  struct Untranslatable: Error, Equatable {
    let why: String
  }

  private let column: (String) -> StoreColumn?

  /// The SQL of a predicate over the columns that `column` finds by key path.
  static func translate(
    _ predicate: ModelPredicate, column: @escaping (String) -> StoreColumn?
  ) throws(Untranslatable) -> String {
    try PartialIndexSQL(column: column).sql(predicate)
  }

  private func sql(_ predicate: ModelPredicate) throws(Untranslatable) -> String {
    switch predicate {
    case .comparison(let comparison): try sql(comparison)
    case .and(let parts): try joined(parts, by: "AND")
    case .or(let parts): try joined(parts, by: "OR")
    case .not, .unknown: throw Untranslatable(why: "\"\(predicate)\" is not understood")
    }
  }

  private func joined(_ parts: [ModelPredicate], by word: String) throws(Untranslatable) -> String {
    var texts: [String] = []
    for part in parts { texts.append(try sql(part)) }
    guard let only = texts.first else {
      throw Untranslatable(why: "it is always \(word == "AND" ? "true" : "false")")
    }
    return texts.count == 1 ? only : "(\(texts.joined(separator: " \(word) ")))"
  }

  private func sql(_ comparison: ModelComparison) throws(Untranslatable) -> String {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      case .keyPath(let path) = comparison.left, case .constant(let value) = comparison.right,
      let column = column(path)
    else { throw Untranslatable(why: "\"\(comparison)\" is not understood") }
    switch (comparison.comparator, value) {
    case (.equal, .null): return "\(column.name) IS NULL"
    case (.notEqual, .null): return "\(column.name) IS NOT NULL"
    default: break
    }
    guard let sign = Self.signs[comparison.comparator], let text = Self.text(value, in: column)
    else { throw Untranslatable(why: "\"\(comparison)\" is not understood") }
    return "\(column.name) \(sign) \(text)"
  }

  // "!=" is left out: a predicate counts objects without a value in, SQL's <> does not.
  private static let signs: [ModelComparison.Operator: String] = [
    .equal: "=", .lessThan: "<", .atMost: "<=", .greaterThan: ">", .atLeast: ">=",
  ]

  /// A constant as it is stored in such a column; nil when that is not sure.
  private static func text(_ value: ModelConstant, in column: StoreColumn) -> String? {
    switch (value, column.type) {
    case (.integer(let number), .integer), (.integer(let number), .float): String(number)
    case (.boolean(let value), .integer): value ? "1" : "0"
    case (.real(let number), .float) where number.isFinite: String(number)
    case (.string(let text), .varchar) where !text.utf8.contains(0):
      "'\(text.doubling("'"))'"
    default: nil
    }
  }
}
