internal import CoreDataStore
internal import SQLite

/// Translates predicates over one entity into SQL.
struct ConditionTranslation {
  /// The constants that are bound, in the order of their parameters `?`.
  final class Parameters {
    private(set) var values: [Value] = []

    /// A long list has its other constants in the text.
    ///
    /// A statement has 999 parameters at most, or 32766 since SQLite 3.32 (SQLite, Limits).
    private static let most = 500

    /// A parameter for a value; nil when there are too many.
    func add(_ value: Value) -> String? {
      guard values.count < Self.most else { return nil }
      values.append(value)
      return "?"
    }
  }

  let layout: EntityLayout
  let model: Model
  var alias = ConditionSQL.alias
  /// The attribute that `SELF` stands for, in the rules of an attribute.
  var itself: String?
  /// Where constants go that are bound; nil where they stand in the text.
  var parameters: Parameters?

  /// The SQL of a predicate: 1 or 0, never NULL.
  func sql(_ predicate: ModelPredicate) throws(ConditionFault) -> String {
    switch predicate {
    case .comparison(let comparison): return try sql(comparison)
    case .and(let parts): return Self.joined(try sql(parts)[...], by: "AND") ?? "1"
    case .or(let parts): return Self.joined(try sql(parts)[...], by: "OR") ?? "0"
    case .not(let part): return "NOT (\(try sql(part)))"
    case .unknown(_, let why):
      throw ConditionFault("It cannot be read: \(why).", "Write it as NSPredicate has it.")
    }
  }

  private func sql(_ parts: [ModelPredicate]) throws(ConditionFault) -> [String] {
    var texts: [String] = []
    for part in parts { texts.append(try sql(part)) }
    return texts
  }

  /// Joined in halves: SQLite limits how deep an expression is, and a chain is as deep as long.
  static func joined(_ parts: ArraySlice<String>, by word: String) -> String? {
    guard parts.count > 1 else { return parts.first }
    let middle = parts.startIndex + parts.count / 2
    guard let first = joined(parts[..<middle], by: word),
      let second = joined(parts[middle...], by: word)
    else { return nil }
    return "(\(first)) \(word) (\(second))"
  }
}

// Comparisons.
extension ConditionTranslation {
  private func sql(_ comparison: ModelComparison) throws(ConditionFault) -> String {
    guard comparison.quantifier == .direct else {
      throw ConditionFault("\(comparison.quantifier.rawValue) asks many objects, here is one row.")
    }
    // The letter n says "compare the bytes", which is what happens.
    guard comparison.options.allSatisfy({ $0 == "n" }) else {
      throw ConditionFault(
        "SQLite cannot compare text as [\(comparison.options)] does.",
        "Leave the letters out, which compares exactly, or let a script decide.")
    }
    switch (named(comparison.left), named(comparison.right)) {
    case (.keyPath(let left), .keyPath(let right)):
      return try sql(try term(left), comparison.comparator, try term(right))
    case (.keyPath(let path), let right):
      return try sql(try term(path), comparison.comparator, right)
    case (let left, .keyPath(let path)):
      guard let mirrored = Self.mirrored[comparison.comparator] else {
        throw ConditionFault("\(comparison.comparator.rawValue) needs a property on its left.")
      }
      return try sql(try term(path), mirrored, left)
    default:
      throw ConditionFault("Neither side of \"\(comparison)\" is a property.")
    }
  }

  private func named(_ expression: ModelExpression) -> ModelExpression {
    guard expression == .itself, let itself else { return expression }
    return .keyPath(itself)
  }

  private func term(_ path: String) throws(ConditionFault) -> ConditionTerm {
    try ConditionTerm(path, of: layout, in: model, alias: alias)
  }

  private static let mirrored: [ModelComparison.Operator: ModelComparison.Operator] = [
    .equal: .equal, .notEqual: .notEqual, .lessThan: .greaterThan, .greaterThan: .lessThan,
    .atMost: .atLeast, .atLeast: .atMost,
  ]

  private func sql(
    _ left: ConditionTerm, _ comparator: ModelComparison.Operator, _ right: ConditionTerm
  ) throws(ConditionFault) -> String {
    guard left.isComparable(with: right) else {
      throw ConditionFault("\(left.name) and \(right.name) have types that cannot be compared.")
    }
    return try simple(left, comparator, right.column)
  }

  private func sql(
    _ term: ConditionTerm, _ comparator: ModelComparison.Operator, _ right: ModelExpression
  ) throws(ConditionFault) -> String {
    switch (comparator, right) {
    case (.equal, .constant(.null)): "\(term.column) IS NULL"
    case (.notEqual, .constant(.null)): "\(term.column) IS NOT NULL"
    case (.isIn, .aggregate(let list)): try isIn(term, list)
    case (.between, .aggregate(let list)): try isBetween(term, list)
    case (_, .constant(let constant)): try sql(term, comparator, constant)
    default:
      throw ConditionFault(
        "\"\(term.name) \(comparator.rawValue) \(right)\" is not understood.",
        "Compare properties with constants or with one another.")
    }
  }

  private func sql(
    _ term: ConditionTerm, _ comparator: ModelComparison.Operator, _ constant: ModelConstant
  ) throws(ConditionFault) -> String {
    switch comparator {
    case .beginsWith, .endsWith, .contains, .like: try search(term, comparator, constant)
    default: try simple(term, comparator, try sql(constant, of: term))
    }
  }

  private func sql(
    _ constant: ModelConstant, of term: ConditionTerm
  ) throws(ConditionFault) -> String {
    if let parameter = parameters?.add(try term.value(constant)) { return parameter }
    return try term.literal(constant)
  }

  /// `IS` and `IS NOT` give 1 or 0 even where a side is NULL (SQLite, Expressions).
  private func simple(
    _ term: ConditionTerm, _ comparator: ModelComparison.Operator, _ right: String
  ) throws(ConditionFault) -> String {
    switch comparator {
    case .equal: return "\(term.column) IS \(right)"
    case .notEqual: return "\(term.column) IS NOT \(right)"
    case .lessThan, .atMost, .greaterThan, .atLeast:
      try requireOrder(of: term)
      return "ifnull(\(term.column) \(comparator.rawValue) \(right), 0)"
    case .matches:
      throw ConditionFault("SQLite has no regular expressions.", "Let a script decide.")
    default:
      throw ConditionFault("\(comparator.rawValue) does not go with what is on its right.")
    }
  }

  private func requireOrder(of term: ConditionTerm) throws(ConditionFault) {
    guard !term.isOrdered else { return }
    throw ConditionFault("The values of \(term.name) have no order.", "Use = or !=.")
  }

  private func isIn(
    _ term: ConditionTerm, _ list: [ModelExpression]
  ) throws(ConditionFault) -> String {
    "ifnull(\(term.column) IN (\(try literals(term, list).joined(separator: ", "))), 0)"
  }

  private func isBetween(
    _ term: ConditionTerm, _ list: [ModelExpression]
  ) throws(ConditionFault) -> String {
    try requireOrder(of: term)
    let bounds = try literals(term, list)
    guard bounds.count == 2 else {
      throw ConditionFault("BETWEEN needs two bounds.", "Write {1, 10}.")
    }
    return "ifnull(\(term.column) BETWEEN \(bounds[0]) AND \(bounds[1]), 0)"
  }

  private func literals(
    _ term: ConditionTerm, _ list: [ModelExpression]
  ) throws(ConditionFault) -> [String] {
    var literals: [String] = []
    for element in list {
      guard case .constant(let constant) = element, constant != .null else {
        throw ConditionFault(
          "The list next to \(term.name) holds something that is no plain value.",
          "Put numbers and quoted text between the braces; ask for nil with = nil.")
      }
      literals.append(try sql(constant, of: term))
    }
    return literals
  }
}

// Searching in text, which compares characters exactly as they are stored.
extension ConditionTranslation {
  private func search(
    _ term: ConditionTerm, _ comparator: ModelComparison.Operator, _ constant: ModelConstant
  ) throws(ConditionFault) -> String {
    guard term.type == .string || term.type == .uri, case .string(let text) = constant,
      !text.utf8.contains(0)
    else {
      throw ConditionFault("\(comparator.rawValue) needs a property and a value that are text.")
    }
    switch comparator {
    case .beginsWith: return "ifnull(instr(\(term.column), \(try sql(constant, of: term))) = 1, 0)"
    case .contains: return "ifnull(instr(\(term.column), \(try sql(constant, of: term))) > 0, 0)"
    case .endsWith:
      guard !text.isEmpty else { return "\(term.column) IS NOT NULL" }
      // The bytes are compared: substr of a text, and GLOB below, stop at a NUL. "The result of
      // expressions involving strings with embedded NULs is undefined" (SQLite, Binding Values).
      let (end, same) = (try sql(constant, of: term), try sql(constant, of: term))
      return "ifnull(substr(CAST(\(term.column) AS BLOB), -length(CAST(\(end) AS BLOB))) "
        + "= CAST(\(same) AS BLOB), 0)"
    default:
      let pattern = try Self.globPattern(text)
      return "ifnull(\(Self.withoutNULs(term.column, besides: pattern)) "
        + "GLOB \(try sql(.string(pattern), of: term)), 0)"
    }
  }

  /// A text with another character in the place of each NUL, one that stands for itself nowhere in
  /// the pattern: only `*` and `?` meet it, as they meet a NUL.
  private static func withoutNULs(_ column: String, besides pattern: String) -> String {
    let taken = Set(pattern.unicodeScalars.map(\.value))
    let other = (1...).first { !taken.contains($0) } ?? 1
    return """
      CASE WHEN instr(\(column), char(0)) = 0 THEN \(column) ELSE
      (WITH RECURSIVE parts(text, rest) AS (SELECT '', CAST(\(column) AS BLOB) UNION ALL SELECT text
      || CAST(substr(rest, 1, instr(rest, x'00') - 1) AS TEXT) || char(\(other)),
      substr(rest, instr(rest, x'00') + 1) FROM parts WHERE instr(rest, x'00') > 0)
      SELECT text || CAST(rest AS TEXT) FROM parts WHERE instr(rest, x'00') = 0) END
      """
  }

  /// A pattern of LIKE as GLOB has it, which minds capitals as LIKE does here and not in SQLite.
  ///
  /// Both have `*` and `?`; what stands for itself goes between brackets in GLOB.
  private static func globPattern(_ text: String) throws(ConditionFault) -> String {
    var pattern = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      let standsForItself = scalar == "[" || (isEscaped && (scalar == "*" || scalar == "?"))
      pattern += standsForItself ? "[\(scalar)]" : String(scalar)
      isEscaped = false
    }
    guard !isEscaped else {
      throw ConditionFault("The pattern ends with a backslash.", "Write two of them.")
    }
    return pattern
  }
}
