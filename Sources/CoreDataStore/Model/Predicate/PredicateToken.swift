/// One word of predicate text.
package enum PredicateToken: Hashable, Sendable {
  /// A name, a path or a selector: `maker.name`, `count:`, `AND`.
  case word(String)
  /// A path that begins like a word of the language, without its number sign.
  case path(String)
  /// A variable, without its dollar sign.
  case variable(String)
  case string(String)
  case number(String)
  /// Punctuation: `==`, `(`, `,`.
  case sign(String)

  /// Words that mean something else than a property of that name.
  package static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "ALL", "SOME", "NONE", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO",
    "SELF", "TRUEPREDICATE", "FALSEPREDICATE", "MATCHES", "LIKE", "BEGINSWITH", "ENDSWITH", "IN",
    "CONTAINS", "BETWEEN",
  ]

  /// Whether a path must be written with a number sign.
  package static func isReserved(_ path: String) -> Bool {
    guard let first = path.split(separator: ".").first else { return false }
    return reserved.contains(first.uppercased())
  }
}
