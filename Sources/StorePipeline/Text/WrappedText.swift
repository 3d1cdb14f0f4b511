extension String {
  /// The text broken into lines at spaces; a word longer than a line stays whole.
  ///
  /// Paragraphs are separated by empty lines. A line that begins with a space is kept as it is.
  package func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? [String(line)] : Self.wrap(line, to: width)
    }
  }

  private static func wrap(_ line: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = ""
      }
      current += current.isEmpty ? word : " \(word)"
    }
    return lines + [current]
  }

  /// The text with spaces added to fill a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
