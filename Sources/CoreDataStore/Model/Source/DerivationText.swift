/// The derivation expressions of a model's XML, which are not quite predicate text.
enum DerivationText {
  /// The expression that Xcode compiles a text to: `pages.@count` becomes `count:(pages)`.
  static func expression(_ text: String) -> ModelExpression {
    let expression = PredicateParser.expression(text)
    guard case .keyPath(let path) = expression else { return expression }
    let steps = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = steps.firstIndex(where: { $0.hasPrefix("@") }), place > 0 else {
      return expression
    }
    let argument = (steps[..<place] + steps[(place + 1)...]).joined(separator: ".")
    return .function("\(steps[place].dropFirst()):", [.keyPath(argument)])
  }
}
