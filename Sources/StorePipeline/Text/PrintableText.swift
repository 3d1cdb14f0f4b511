extension StringProtocol {
  /// The text with control characters spelled out, except line ends and tabs.
  ///
  /// So a name from a file or a command line cannot drive the terminal.
  package var printable: String { escaped { $0 == "\n" || $0 == "\t" } }

  /// The text with all control characters spelled out.
  package var oneLine: String { escaped { _ in false } }

  /// The text on one line, between quotes only where it would not be seen to be one word.
  package var word: String { isEmpty || contains(" ") ? quoted : oneLine }

  /// The text on one line between quotes, as mistakes show what was typed.
  package var quoted: String { "'\(oneLine)'" }

  private func escaped(except isKept: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    for scalar in unicodeScalars {
      let isPlain = scalar.properties.generalCategory != .control || isKept(scalar)
      text += isPlain ? String(scalar) : scalar.escaped(asASCII: true)
    }
    return text
  }
}
