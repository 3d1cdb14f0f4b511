/// Colour and weight, or none.
///
/// They say nothing that the words do not.
package struct Style: Sendable, Equatable {
  /// Whether anything is added to the text.
  package let isOn: Bool

  /// A style that is on or off.
  package init(isOn: Bool) { self.isOn = isOn }

  /// For headings.
  package func bold(_ text: String) -> String { styled(text, 1) }

  /// For what is new or well.
  package func green(_ text: String) -> String { styled(text, 32) }

  /// For what stands by, such as what stayed the same.
  package func faint(_ text: String) -> String { styled(text, 2) }

  /// For what went wrong.
  package func red(_ text: String) -> String { styled(text, 31) }

  /// For what needs an eye.
  package func yellow(_ text: String) -> String { styled(text, 33) }

  private func styled(_ text: String, _ code: Int) -> String {
    isOn ? Self.code(code) + text + Self.code(0) : text
  }

  private static func code(_ number: Int) -> String { "\u{1B}[\(number)m" }

  /// All that a style adds to a text.
  static let codes = [0, 1, 2, 31, 32, 33].map(code)
}
