/// A list of stores' paths, as other programs make it.
package enum StoreList {
  /// The lines of a text, the empty ones among them, without CR; or what NUL bytes separate, as
  /// `find -print0` has it.
  package static func lines(in text: String) -> [String] {
    let end: Unicode.Scalar = text.unicodeScalars.contains("\0") ? "\0" : "\n"
    // Editors of Windows begin a text with a byte order mark.
    let isMarked = end == "\n" && text.unicodeScalars.first == "\u{FEFF}"
    let lines = text.unicodeScalars.dropFirst(isMarked ? 1 : 0)
      .split(separator: end, omittingEmptySubsequences: false)
    // Behind the last end there is no further line.
    return lines.map { String(end == "\n" && $0.last == "\r" ? $0.dropLast() : $0) }.dropLast(
      lines.last?.isEmpty == true ? 1 : 0)
  }

  /// The paths in a text; empty lines count for nothing, all else belongs to the path.
  package static func paths(in text: String) -> [String] {
    lines(in: text).filter { !$0.isEmpty }
  }

  /// The list of some paths: a line each, or with NUL where a path has a line end in it.
  package static func text(_ paths: [String]) -> String {
    let text = paths.map { "\($0)\n" }.joined()
    return self.paths(in: text) == paths ? text : paths.map { "\($0)\0" }.joined()
  }
}
