internal import Foundation

// Expressions as text, in the form of `NSExpression.description`, because version hashes of
// derived attributes are made from that text.

extension ModelExpression: CustomStringConvertible {
  /// The expression as predicate-format text.
  public var description: String {
    switch self {
    case .constant(let value): value.predicateText
    case .keyPath(let path): PredicateToken.isReserved(path) ? "#\(path)" : path
    case .itself: "SELF"
    case .variable(let name): "$\(name)"
    case .path(let base, let path): "\(base).\(path)"
    case .function(let name, let arguments): Self.call(name, arguments)
    case .message(let target, let selector, let arguments):
      "FUNCTION(\(target), \"\(selector)\" \(Self.tail(arguments)))"
    case .aggregate(let elements): "{\(Self.list(elements))}"
    case .unknown(let text, _): text
    }
  }

  private static let infix = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
  ]

  private static func call(_ name: String, _ arguments: [ModelExpression]) -> String {
    if let sign = infix[name], arguments.count == 2 {
      return "\(arguments[0].operand) \(sign) \(arguments[1].operand)"
    }
    return "\(name)(\(list(arguments)))"
  }

  /// The text as a part of a calculation, between parentheses when it is one itself.
  private var operand: String {
    guard case .function(let name, _) = self, Self.infix[name] != nil else { return description }
    return "(\(self))"
  }

  private static func list(_ expressions: [ModelExpression]) -> String {
    expressions.map(\.description).joined(separator: ", ")
  }

  private static func tail(_ arguments: [ModelExpression]) -> String {
    arguments.map { ", \($0)" }.joined()
  }
}

extension ModelExpression {
  /// The first part that could not be read, and why.
  package var unreadable: String? {
    switch self {
    case .unknown(let text, let why): "\(text): \(why)"
    case .constant(.object(let name)): "an object of the class \(name)"
    case .path(let base, _): base.unreadable
    case .function(_, let arguments), .aggregate(let arguments):
      Self.firstUnreadable(arguments)
    case .message(let target, _, let arguments):
      target.unreadable ?? Self.firstUnreadable(arguments)
    case .constant, .keyPath, .itself, .variable: nil
    }
  }

  /// A lazy `first` would ask each twice, and so take forever over deep nesting.
  private static func firstUnreadable(_ expressions: [ModelExpression]) -> String? {
    for expression in expressions {
      if let problem = expression.unreadable { return problem }
    }
    return nil
  }
}

extension ModelConstant {
  /// The value as predicate-format text.
  package var predicateText: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): value ? "1" : "0"
    case .integer(let value): String(value)
    case .real(let value): Self.plain(value)
    case .decimal(let value): value.description
    case .string(let value): Self.quoted(value)
    case .date(let value): "CAST(\(Self.plain(value)), \"NSDate\")"
    case .uuid(let value): "CAST(\"\(value.uuidString)\", \"NSUUID\")"
    case .uri(let value): "CAST(\(Self.quoted(value)), \"NSURL\")"
    case .bytes(let value): "<\(value.count) bytes>"
    case .object(let name): "<\(name)>"
    }
  }

  private static func quoted(_ text: String) -> String {
    let inner = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(inner)\""
  }
}
