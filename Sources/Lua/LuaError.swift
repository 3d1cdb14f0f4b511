/// What went wrong in a script, as its author would want to read it.
package struct LuaError: Error, Equatable, Sendable {
  /// Why the script ended.
  package enum Kind: String, Sendable {
    /// The script, or a host function it called, raised an error.
    case error
    /// It ran longer than it may.
    case time
    /// It held more memory than it may.
    case memory
    /// It did more work than it may.
    case instructions
    /// The caller asked it to stop.
    case cancelled
  }

  package let kind: Kind
  /// What happened, without its place.
  package let message: String
  /// The file, empty where none is known.
  package let file: String
  /// The line in it, 0 where none is known.
  package let line: Int
  package let sourceLine: String
  /// The calls that led there.
  package let traceback: String

  package init(
    kind: Kind, message: String, file: String = "", line: Int = 0, sourceLine: String = "",
    traceback: String = ""
  ) {
    self.kind = kind
    self.message = message
    self.file = file
    self.line = line
    self.sourceLine = sourceLine
    self.traceback = traceback
  }
}

extension LuaError: CustomStringConvertible {
  /// `file:line: message`, with the line below it.
  package var description: String {
    guard !file.isEmpty else { return message }
    guard line > 0 else { return "\(file): \(message)" }
    let place = "\(file):\(line): \(message)"
    guard !sourceLine.isEmpty else { return place }
    let number = String(line)
    let margin = String(repeating: " ", count: max(0, 5 - number.count))
    return "\(place)\n\(margin)\(number) | \(sourceLine)"
  }
}
