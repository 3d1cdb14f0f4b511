internal import Formats

extension JSONValue {
  /// A text, or null when there is none.
  static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// A count, or null when there is none.
  static func count(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }

  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// The value on one line, with spaces at which it can be broken.
  var spaced: String {
    text(.pretty).split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }
}
