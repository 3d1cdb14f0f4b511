import StorePipeline

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

extension Style {
  /// The style for a stream.
  ///
  /// no-color.org: "Command-line software which adds ANSI color to its output by default should
  /// check for a NO_COLOR environment variable that, when present and not an empty string ...,
  /// prevents the addition of ANSI color."
  init(_ mode: ColorMode, isTerminal: Bool, environment: [String: String]) {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let isDumb = environment["TERM"] == "dumb"
    self.init(isOn: mode == .always || (mode == .auto && isTerminal && !isRefused && !isDumb))
  }
}
