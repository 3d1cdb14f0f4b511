/// Numbers with their nouns.
package enum Plural {
  /// `1 entity`, `2 entities`.
  package static func text(_ count: Int, _ noun: String) -> String {
    guard count != 1 else { return "1 \(noun)" }
    let plural = noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
    return "\(Quantity.count(count)) \(plural)"
  }

  package static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
