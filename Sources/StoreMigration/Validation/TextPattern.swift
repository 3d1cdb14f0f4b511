internal import Foundation

/// A regular expression that a whole text matches, as `MATCHES` of a predicate means it.
struct TextPattern {
  private let expression: NSRegularExpression

  /// The pattern, in the dialect of ICU; nil when it is none.
  init?(_ pattern: String) {
    // Not ^ and $: those match beside line ends, too.
    guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else {
      return nil
    }
    self.expression = expression
  }

  /// Whether the whole text matches.
  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
