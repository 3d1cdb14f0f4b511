/// Reads archived NSPredicates; their graph may be shared or cyclic.
struct PredicateArchive {
  /// The objects that are being read, each within the one before.
  private var open: Set<Int> = []

  /// The predicate that an archived object is.
  static func predicate(_ object: CompiledObject) -> ModelPredicate {
    var reader = PredicateArchive()
    return reader.predicate(object, depth: 1)
  }

  /// The expression that an archived object is.
  static func expression(_ object: CompiledObject) -> ModelExpression {
    var reader = PredicateArchive()
    return reader.expression(object, depth: 1)
  }

  /// Whether an object may be read; predicates are nested no deeper than text may be.
  private mutating func enter(_ object: CompiledObject, _ depth: Int) -> Bool {
    depth <= PredicateParser.deepest && open.insert(object.index).inserted
  }

  private static let tooDeep = "it is nested too deeply or contains itself"

  private mutating func predicate(_ object: CompiledObject, depth: Int) -> ModelPredicate {
    guard enter(object, depth) else { return .unknown("...", why: Self.tooDeep) }
    defer { open.remove(object.index) }
    switch object.className {
    case "NSTruePredicate": return .and([])
    case "NSFalsePredicate": return .or([])
    case "NSComparisonPredicate": return comparison(object, depth: depth)
    case "NSCompoundPredicate": return compound(object, depth: depth)
    case let name: return .unknown(name ?? "?", why: "this kind of predicate is not understood")
    }
  }

  private mutating func compound(_ object: CompiledObject, depth: Int) -> ModelPredicate {
    let elements = object["NSSubpredicates"]?.elements ?? []
    var parts: [ModelPredicate] = []
    for element in elements { parts.append(predicate(element, depth: depth + 1)) }
    switch (object["NSCompoundPredicateType"]?.integer ?? 0, parts.first) {
    case (0, .some(let part)): return .not(part)
    case (1, _): return .and(parts)
    case (2, _): return .or(parts)
    default: return .unknown("NSCompoundPredicate", why: "its type is not known")
    }
  }

  private mutating func comparison(_ object: CompiledObject, depth: Int) -> ModelPredicate {
    guard let left = object["NSLeftExpression"], let right = object["NSRightExpression"],
      let sign = object["NSPredicateOperator"],
      let comparator = Self.comparators[sign["NSOperatorType"]?.integer ?? -1],
      let quantifier = Self.quantifiers[sign["NSModifier"]?.integer ?? 0]
    else { return .unknown("NSComparisonPredicate", why: "its operator is not understood") }
    return .comparison(
      ModelComparison(
        expression(left, depth: depth + 1), comparator, expression(right, depth: depth + 1),
        quantifier: quantifier, options: Self.options(sign)))
  }

  /// The numbers of `NSComparisonPredicate.Operator`.
  private static let comparators: [Int64: ModelComparison.Operator] = [
    0: .lessThan, 1: .atMost, 2: .greaterThan, 3: .atLeast, 4: .equal, 5: .notEqual,
    6: .matches, 7: .like, 8: .beginsWith, 9: .endsWith, 10: .isIn, 99: .contains, 100: .between,
  ]

  /// The numbers of `NSComparisonPredicate.Modifier`.
  private static let quantifiers: [Int64: ModelComparison.Quantifier] = [
    0: .direct, 1: .all, 2: .any,
  ]

  /// The bits of `NSComparisonPredicate.Options`; operators on text keep them as `NSFlags`.
  private static func options(_ sign: CompiledObject) -> String {
    let bits = (sign["NSFlags"] ?? sign["NSOptions"])?.integer ?? 0
    let letters = [(1, "c"), (2, "d"), (4, "n"), (8, "l")] as [(Int64, String)]
    return letters.filter { bits & $0.0 != 0 }.map(\.1).joined()
  }

  private mutating func expression(_ object: CompiledObject, depth: Int) -> ModelExpression {
    guard enter(object, depth) else { return .unknown("...", why: Self.tooDeep) }
    defer { open.remove(object.index) }
    switch object.className {
    case "NSSelfExpression": return .itself
    case "NSKeyPathSpecifierExpression": return .keyPath(object["NSKeyPath"]?.string ?? "")
    case "NSVariableExpression": return .variable(object["NSVariable"]?.string ?? "")
    case "NSConstantValueExpression": return constant(object)
    case "NSKeyPathExpression": return path(object, depth: depth)
    case "NSFunctionExpression": return function(object, depth: depth)
    case "NSAggregateExpression":
      return .aggregate(list(object["NSCollection"], depth: depth))
    case let name: return .unknown(name ?? "?", why: "this kind of expression is not understood")
    }
  }

  private mutating func list(_ object: CompiledObject?, depth: Int) -> [ModelExpression] {
    var elements: [ModelExpression] = []
    for element in object?.elements ?? [] {
      elements.append(expression(element, depth: depth + 1))
    }
    return elements
  }

  private func constant(_ object: CompiledObject) -> ModelExpression {
    guard let value = object["NSConstantValue"] else { return .constant(.null) }
    guard let elements = value.elements else { return .constant(value.constant.inPredicate) }
    return .aggregate(elements.map { .constant($0.constant.inPredicate) })
  }

  private mutating func path(_ object: CompiledObject, depth: Int) -> ModelExpression {
    guard let argument = object["NSArguments"]?.elements?.first,
      case .keyPath(let path) = expression(argument, depth: depth + 1)
    else { return .unknown("NSKeyPathExpression", why: "its path is not understood") }
    guard let operand = object["NSOperand"] else { return .keyPath(path) }
    let base = expression(operand, depth: depth + 1)
    return base == .itself ? .keyPath(path) : .path(of: base, path)
  }

  /// The utilities class stands for the predicate language's own functions.
  private mutating func function(_ object: CompiledObject, depth: Int) -> ModelExpression {
    guard let selector = object["NSSelectorName"]?.string else {
      return .unknown("NSFunctionExpression", why: "it names no function")
    }
    let arguments = list(object["NSArguments"], depth: depth)
    guard let operand = object["NSOperand"],
      operand["NSConstantValueClassName"]?.string != "_NSPredicateUtilities"
    else { return .function(selector, arguments) }
    let target = expression(operand, depth: depth + 1)
    return .message(to: target, selector: selector, arguments)
  }
}

extension ModelConstant {
  /// The constant as predicate text gives it back: truth values are the numbers 1 and 0.
  fileprivate var inPredicate: ModelConstant {
    if case .boolean(let value) = self { return .integer(value ? 1 : 0) }
    return self
  }
}
