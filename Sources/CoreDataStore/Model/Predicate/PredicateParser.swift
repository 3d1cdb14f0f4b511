/// Reads the common part of the predicate language.
///
/// The grammar is that of Apple's *Predicate Format String Syntax*: comparisons, `AND`, `OR`,
/// `NOT`, `IN`, `BETWEEN`, `BEGINSWITH` and the like, literals, key paths, variables, functions.
/// Anything else becomes `.unknown` with its text, never an error.
package struct PredicateParser {
  /// No real predicate nests deeper than this.
  package static let deepest = 100

  private let tokens: [PredicateToken]
  private var position = 0
  private var depth = 0
  /// How many expressions lie within each other in the one that was read last.
  private var height = 0

  private init(_ text: String) throws(PredicateLexer.Unreadable) {
    tokens = try PredicateLexer.tokens(of: text)
  }

  /// The predicate that a text says.
  package static func predicate(_ text: String) -> ModelPredicate {
    do throws(PredicateLexer.Unreadable) {
      var parser = try PredicateParser(text)
      let predicate = try parser.disjunction()
      try parser.end()
      return predicate
    } catch {
      return .unknown(text, why: error.why)
    }
  }

  /// The expression that a text says.
  package static func expression(_ text: String) -> ModelExpression {
    do throws(PredicateLexer.Unreadable) {
      var parser = try PredicateParser(text)
      let expression = try parser.sum()
      try parser.end()
      return expression
    } catch {
      return .unknown(text, why: error.why)
    }
  }
}

// The words, one at a time.
extension PredicateParser {
  private var current: PredicateToken? {
    position < tokens.count ? tokens[position] : nil
  }

  /// Takes the next word when it is this one, whatever its case.
  private mutating func take(word: String) -> Bool {
    guard case .word(let text) = current, text.uppercased() == word else { return false }
    position += 1
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard current == .sign(sign) else { return false }
    position += 1
    return true
  }

  private mutating func need(sign: String) throws(PredicateLexer.Unreadable) {
    guard take(sign: sign) else { throw unexpected() }
  }

  private func end() throws(PredicateLexer.Unreadable) {
    guard current == nil else { throw unexpected() }
  }

  private func unexpected() -> PredicateLexer.Unreadable {
    switch current {
    case .word(let text), .path(let text), .number(let text), .sign(let text):
      .init(why: "\"\(text)\" is not understood here")
    case .variable(let name): .init(why: "\"$\(name)\" is not understood here")
    case .string: .init(why: "a quoted text is not understood here")
    case nil: .init(why: "the text ends too early")
    }
  }

  private mutating func descend() throws(PredicateLexer.Unreadable) {
    depth += 1
    guard depth <= Self.deepest else { throw Self.tooDeep }
  }

  private static let tooDeep = PredicateLexer.Unreadable(why: "it is nested too deeply")
}

// Predicates.
extension PredicateParser {
  private mutating func disjunction() throws(PredicateLexer.Unreadable) -> ModelPredicate {
    var parts = [try conjunction()]
    while take(word: "OR") || take(sign: "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(PredicateLexer.Unreadable) -> ModelPredicate {
    var parts = [try negation()]
    while take(word: "AND") || take(sign: "&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(PredicateLexer.Unreadable) -> ModelPredicate {
    try descend()
    defer { depth -= 1 }
    if take(word: "NOT") || take(sign: "!") { return .not(try negation()) }
    if take(word: "TRUEPREDICATE") { return .and([]) }
    if take(word: "FALSEPREDICATE") { return .or([]) }
    if current == .sign("(") { return try parenthesis() }
    return try comparison()
  }

  /// A predicate between parentheses, or a comparison that begins with one.
  private mutating func parenthesis() throws(PredicateLexer.Unreadable) -> ModelPredicate {
    let start = position
    do throws(PredicateLexer.Unreadable) {
      try need(sign: "(")
      let predicate = try disjunction()
      try need(sign: ")")
      return predicate
    } catch {
      position = start
      guard let comparison = try? comparison() else { throw error }
      return comparison
    }
  }

  private mutating func comparison() throws(PredicateLexer.Unreadable) -> ModelPredicate {
    let quantifier = quantifier()
    let left = try sum()
    let (comparator, isNegated) = try comparator()
    let options = try options()
    let right = try sum()
    let comparison = ModelPredicate.comparison(
      ModelComparison(left, comparator, right, quantifier: quantifier.0, options: options))
    return quantifier.isNegated != isNegated ? .not(comparison) : comparison
  }

  private mutating func quantifier() -> (ModelComparison.Quantifier, isNegated: Bool) {
    if take(word: "ANY") || take(word: "SOME") { return (.any, false) }
    if take(word: "ALL") { return (.all, false) }
    return take(word: "NONE") ? (.any, true) : (.direct, false)
  }

  private static let signs: [String: ModelComparison.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .lessThan,
    "<=": .atMost, "=<": .atMost, ">": .greaterThan, ">=": .atLeast, "=>": .atLeast,
  ]

  private mutating func comparator() throws(PredicateLexer.Unreadable)
    -> (ModelComparison.Operator, isNegated: Bool)
  {
    if case .sign(let text) = current, let comparator = Self.signs[text] {
      position += 1
      return (comparator, false)
    }
    // SQL's words, which people write as well: `IS NULL`, `IS NOT NULL`.
    if take(word: "IS") { return (take(word: "NOT") ? .notEqual : .equal, false) }
    let isNegated = take(word: "NOT")
    guard case .word(let text) = current,
      let comparator = ModelComparison.Operator(rawValue: text.uppercased())
    else { throw unexpected() }
    position += 1
    return (comparator, isNegated)
  }

  /// The letters of `[cd]`, in a fixed order.
  private mutating func options() throws(PredicateLexer.Unreadable) -> String {
    guard take(sign: "[") else { return "" }
    guard case .word(let letters) = current else { throw unexpected() }
    position += 1
    try need(sign: "]")
    let asked = letters.lowercased()
    guard asked.allSatisfy("cdnl".contains) else {
      throw .init(why: "the option [\(letters)] is not known")
    }
    return "cdnl".filter(asked.contains)
  }
}

// Expressions.
extension PredicateParser {
  private static let additions = ["+": "add:to:", "-": "from:subtract:"]
  private static let multiplications = ["*": "multiply:by:", "/": "divide:by:"]

  private mutating func sum() throws(PredicateLexer.Unreadable) -> ModelExpression {
    var left = try product()
    while let function = function(of: Self.additions) {
      let leftHeight = height
      left = .function(function, [left, try product()])
      try rise(above: leftHeight)
    }
    return left
  }

  private mutating func product() throws(PredicateLexer.Unreadable) -> ModelExpression {
    var left = try primary()
    while let function = function(of: Self.multiplications) {
      let leftHeight = height
      left = .function(function, [left, try primary()])
      try rise(above: leftHeight)
    }
    return left
  }

  /// Takes the next word when it is one of these signs, and gives the function it stands for.
  private mutating func function(of signs: [String: String]) -> String? {
    guard case .sign(let sign) = current, let function = signs[sign] else { return nil }
    position += 1
    return function
  }

  /// Puts an expression above the one just read and another: `a + b + c` nests without parentheses.
  private mutating func rise(above other: Int) throws(PredicateLexer.Unreadable) {
    height = max(height, other) + 1
    guard height <= Self.deepest else { throw Self.tooDeep }
  }

  private mutating func primary() throws(PredicateLexer.Unreadable) -> ModelExpression {
    try descend()
    defer { depth -= 1 }
    guard let token = current else { throw unexpected() }
    position += 1
    height = 1
    switch token {
    case .string(let text): return .constant(.string(text))
    case .number(let text): return try Self.number(text)
    case .variable(let name): return path(of: name)
    case .path(let path): return .keyPath(path)
    case .word(let name): return try word(name)
    case .sign("-"): return try negative()
    case .sign("("):
      let inner = try sum()
      try need(sign: ")")
      return inner
    case .sign("{"): return .aggregate(try list(until: "}"))
    case .sign:
      position -= 1
      throw unexpected()
    }
  }

  private static func number(_ text: String) throws(PredicateLexer.Unreadable) -> ModelExpression {
    if let value = Int64(text) { return .constant(.integer(value)) }
    guard let value = Double(text) else { throw .init(why: "\"\(text)\" is not a number") }
    return .constant(.real(value))
  }

  private mutating func negative() throws(PredicateLexer.Unreadable) -> ModelExpression {
    guard case .number(let text) = current else { throw unexpected() }
    position += 1
    return try Self.number("-\(text)")
  }

  /// What follows a variable: nothing, or a dot and a path.
  private mutating func path(of name: String) -> ModelExpression {
    let start = position
    if take(sign: "."), case .word(let path) = current {
      position += 1
      return .path(of: .variable(name), path)
    }
    position = start
    return .variable(name)
  }

  private mutating func word(_ name: String) throws(PredicateLexer.Unreadable) -> ModelExpression {
    switch name.uppercased() {
    case "NIL", "NULL": return .constant(.null)
    case "TRUE", "YES": return .constant(.integer(1))
    case "FALSE", "NO": return .constant(.integer(0))
    case "SELF": return .itself
    default: break
    }
    if take(sign: "(") { return try call(name, list(until: ")")) }
    guard !name.contains(":") else { throw .init(why: "\"\(name)\" is not understood") }
    return .keyPath(name.uppercased().hasPrefix("SELF.") ? String(name.dropFirst(5)) : name)
  }

  private mutating func list(
    until end: String
  ) throws(PredicateLexer.Unreadable) -> [ModelExpression] {
    var elements: [ModelExpression] = []
    guard !take(sign: end) else { return elements }
    var highest = 0
    repeat {
      elements.append(try sum())
      highest = max(highest, height)
    } while take(sign: ",")
    try need(sign: end)
    try rise(above: highest)
    return elements
  }

  private func call(
    _ name: String, _ arguments: [ModelExpression]
  )
    throws(PredicateLexer.Unreadable) -> ModelExpression
  {
    switch (name.uppercased(), arguments.first, arguments.dropFirst().first) {
    case ("FUNCTION", .some(let target), .constant(.string(let selector))):
      return .message(to: target, selector: selector, Array(arguments.dropFirst(2)))
    case ("CAST", .constant(let value), .constant(.string(let type))):
      guard let constant = Self.cast(value, to: type) else {
        throw .init(why: "CAST to \(type) is not understood")
      }
      return .constant(constant)
    case ("SUBQUERY", _, _), ("TERNARY", _, _), ("CAST", _, _):
      throw .init(why: "\(name) is not understood")
    default: return .function(name, arguments)
    }
  }

  private static func cast(_ value: ModelConstant, to type: String) -> ModelConstant? {
    switch (value, type) {
    case (.integer(let seconds), "NSDate"): .date(Double(seconds))
    case (.real(let seconds), "NSDate"): .date(seconds)
    case (.string(let text), "NSUUID"): ModelConstant(text: text, type: .uuid)
    case (.string(let text), "NSURL"): .uri(text)
    default: nil
    }
  }
}
