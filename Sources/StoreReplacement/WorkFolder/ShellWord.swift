internal import Formats

/// Words of a command that can be copied into a shell.
package enum ShellWord {
  /// The word as a POSIX shell reads it back, on one line whatever is in it.
  ///
  /// "Enclosing characters in single-quotes shall preserve the literal value of each character";
  /// what cannot be seen takes dollar-single-quotes (Shell Command Language, 2.2.2 and 2.2.4).
  package static func quoted(_ word: String) -> String {
    if word.unicodeScalars.contains(where: \.isUnseen) { return dollarQuoted(word) }
    if word.utf8.allSatisfy(isPlain), !word.isEmpty { return word }
    return "'\(word.spelling { $0 == "'" ? "'\\''" : nil })'"
  }

  private static func dollarQuoted(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "'", "\\": text += "\\\(scalar)"
      case _ where scalar.isUnseen: text += scalar.utf8.map(octal).joined()
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "$'\(text)'"
  }

  /// "\ddd yields the byte whose value is the octal number given by ddd": three digits, so that a
  /// digit that follows is not taken for one of them.
  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-".utf8.contains(byte)
  }
}
