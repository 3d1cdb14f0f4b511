/// Shares of a whole as a bar of characters: `====~~+-`.
struct TextBar {
  /// The bar; empty when there is nothing.
  let text: String

  /// A bar of so many characters; each part that is not empty has at least one.
  init(_ parts: [(mark: Character, count: Int)], width: Int = 20) {
    let parts = parts.filter { $0.count > 0 }
    let total = parts.reduce(0.0) { $0 + Double($1.count) }
    var lengths = parts.map { max(1, Int((Double($0.count) / total * Double(width)).rounded())) }
    // What the small ones got too much is taken from the longest, and what is missing given to it.
    let excess = lengths.reduce(0, +) - width
    if let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) {
      lengths[longest] = max(1, lengths[longest] - excess)
    }
    text = zip(parts, lengths).map { String(repeating: $0.mark, count: $1) }.joined()
  }
}
