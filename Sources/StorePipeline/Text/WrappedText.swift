extension String {
  /// The text broken into lines at spaces; a word longer than a line stays whole.
  ///
  /// Paragraphs are separated by empty lines. A line that begins with a space is kept as it is.
  package func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? [String(line)] : Self.wrap(line.split(separator: " "), to: width)
    }
  }

  /// The text, which is one line, broken at spaces behind its first characters: those are a path,
  /// or something else that a person may copy.
  package func wrapped(to width: Int, behind count: Int) -> [String] {
    Self.wrap([prefix(count)] + dropFirst(count).split(separator: " "), to: width)
  }

  private static func wrap(_ words: [Substring], to width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in words {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = ""
      }
      current += current.isEmpty ? word : " \(word)"
    }
    return lines + [current]
  }

  /// The text for a terminal: lines that are too long are broken at spaces, and what continues one
  /// is indented.
  ///
  /// What a person may copy is not broken: what stands between backquotes, a line from a command
  /// on, lines that begin with a space, what an error is about, and a path behind a colon, up to
  /// the next one. `start` columns of the first line are taken.
  package func hanging(to width: Int, after start: Int = 0, indent: Int = 2) -> String {
    let all = split(separator: "\n", omittingEmptySubsequences: false)
    return all.enumerated().map { place, line in
      let taken = place == 0 ? start : 0
      guard taken + line.count > width, !line.hasPrefix(" ") else { return String(line) }
      // The first line of an error ends with what it is about.
      let hasSubject = place == 0 && all.count > 1 && line.hasPrefix("cannot ")
      let pieces = Self.pieces(of: line, hasSubject)
      return Self.hang(pieces, width, taken, String(repeating: " ", count: indent))
    }.joined(separator: "\n")
  }

  private static func hang(
    _ pieces: [String], _ width: Int, _ start: Int, _ indent: String
  ) -> String {
    var lines: [String] = []
    var current = ""
    for piece in pieces {
      let taken = lines.isEmpty ? start : 0
      if current.isEmpty {
        current = piece
      } else if taken + current.count + 1 + piece.count > width {
        lines.append(current)
        current = indent + piece
      } else {
        current += " \(piece)"
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// The words of a line, and what is not to be broken as one of them.
  private static func pieces(of line: Substring, _ hasSubject: Bool) -> [String] {
    var pieces: [String] = []
    var (isQuoted, isCommand, isPath) = (false, false, false)
    // Of several spaces none gets lost: a path may have them.
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let last = pieces.last ?? ""
      isPath = isPath && !last.hasSuffix(":")
      if isQuoted || isCommand || isPath {
        pieces[pieces.count - 1] = "\(last) \(word)"
      } else {
        let isFirst = last.isEmpty || last.hasSuffix(":")
        isCommand = word == "'pipeline" || word == "pipeline" && isFirst
        isPath = last.hasSuffix(":") && (hasSubject || word.hasPrefix("/"))
        pieces.append(String(word))
      }
      if word.count(where: { $0 == "`" }) % 2 == 1 { isQuoted.toggle() }
    }
    return pieces
  }

  /// The text with spaces added to fill a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
