/// When to colour.
enum ColorMode: String, ArgumentChoice {
  case auto, always, never

  /// What the words ask for, read before anything else so that help and mistakes obey it too.
  static func asked(in words: [String]) -> Self {
    let words = words.prefix { $0 != "--" }
    let pairs = zip(words, words.dropFirst() + [""])
    return pairs.reduce(.auto) { mode, pair in
      let attached = pair.0.hasPrefix("--color=") ? String(pair.0.dropFirst(8)) : nil
      return (attached ?? (pair.0 == "--color" ? pair.1 : nil)).flatMap(Self.init) ?? mode
    }
  }
}

/// Colour and weight, or none.
///
/// They say nothing that the words do not.
struct Style: Sendable, Equatable {
  /// Whether anything is added to the text.
  let isOn: Bool

  /// A style that is on or off.
  init(isOn: Bool) { self.isOn = isOn }

  /// The style for a stream.
  ///
  /// no-color.org: "Command-line software which adds ANSI color to its output by default should
  /// check for a NO_COLOR environment variable that, when present and not an empty string ...,
  /// prevents the addition of ANSI color."
  init(_ mode: ColorMode, isTerminal: Bool, environment: [String: String]) {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let isDumb = environment["TERM"] == "dumb"
    isOn = mode == .always || (mode == .auto && isTerminal && !isRefused && !isDumb)
  }

  /// For headings.
  func bold(_ text: String) -> String { styled(text, 1) }

  /// For what went wrong.
  func red(_ text: String) -> String { styled(text, 31) }

  /// For what needs an eye.
  func yellow(_ text: String) -> String { styled(text, 33) }

  private func styled(_ text: String, _ code: Int) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
