/// One word of predicate text.
package enum PredicateToken: Hashable, Sendable {
  /// A name, a path or a selector: `maker.name`, `count:`, `AND`.
  case word(String)
  /// A variable, without its dollar sign.
  case variable(String)
  case string(String)
  case number(String)
  /// Punctuation: `==`, `(`, `,`.
  case sign(String)
}
