internal import Formats

extension StringProtocol {
  /// The text with all that cannot be seen spelled out, except line ends and tabs.
  ///
  /// So a name from a file or a command line cannot drive the terminal.
  package var printable: String { escaped { $0 == "\n" || $0 == "\t" } }

  /// The text with all that cannot be seen spelled out.
  package var oneLine: String { escaped { _ in false } }

  /// The text on one line, between quotes only where it would not be seen to be one word.
  package var word: String { isEmpty || contains(" ") ? quoted : oneLine }

  /// The text on one line between quotes, as mistakes show what was typed.
  package var quoted: String { "'\(oneLine)'" }

  /// The text as a stream may show it, wherever it comes from: like ``printable``, with the codes
  /// of ``Style``.
  package var shown: String {
    guard unicodeScalars.contains(where: { $0.isUnseen && $0 != "\n" }) else { return String(self) }
    var text = ""
    var rest = Substring(self).unicodeScalars
    while let escape = rest.firstIndex(of: "\u{1B}") {
      text += Substring(rest[..<escape]).printable
      let code = Style.codes.first { rest[escape...].starts(with: $0.unicodeScalars) }
      text += code ?? "\u{1B}".oneLine
      rest = rest[rest.index(escape, offsetBy: code?.unicodeScalars.count ?? 1)...]
    }
    return text + Substring(rest).printable
  }

  private func escaped(except isKept: (Unicode.Scalar) -> Bool) -> String {
    spelling { $0.isUnseen && !isKept($0) ? $0.escaped(asASCII: true) : nil }
  }
}
