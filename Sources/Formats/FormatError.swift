/// Why some bytes could not be read or written: which format, what was wrong, and where.
package struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The formats this layer knows, by the names its messages use.
  package enum Format: String, Sendable {
    /// A binary property list.
    case binaryPropertyList = "binary property list"
    /// An XML property list.
    case xmlPropertyList = "XML property list"
    /// A property list whose kind is not known.
    case propertyList = "property list"
    /// An archive of NSKeyedArchiver.
    case keyedArchive = "keyed archive"
    /// An XML document.
    case xml = "XML"
    /// A JSON document.
    case json = "JSON"
    /// Raw deflate data.
    case deflate = "deflate data"
    /// Base64 text.
    case base64 = "base64 text"
    /// Hexadecimal text.
    case hex = "hexadecimal text"
  }

  /// Where in the bytes the problem is.
  package enum Place: Equatable, Sendable {
    /// An offset from the first byte.
    case byte(Int)
    /// A character of a text, counted from 1 as scripts count.
    case character(Int)
    /// A line, counted from 1.
    case line(Int)
    /// A line and a column, both counted from 1.
    case position(line: Int, column: Int)
  }

  /// The format that was being read or written.
  package let format: Format
  /// What was wrong, as a phrase that follows a colon.
  package let problem: String
  /// Where it was, when that is known.
  package let place: Place?

  /// An error, with the place when it is known.
  package init(_ format: Format, _ problem: String, at place: Place? = nil) {
    self.format = format
    self.problem = problem
    self.place = place
  }

  /// One line: format, place, problem.
  package var description: String {
    switch place {
    case nil: "\(format.rawValue): \(problem)"
    case .byte(let offset): "\(format.rawValue), byte \(offset): \(problem)"
    case .character(let number): "\(format.rawValue), character \(number): \(problem)"
    case .line(let line): "\(format.rawValue), line \(line): \(problem)"
    case .position(let line, let column):
      "\(format.rawValue), line \(line), column \(column): \(problem)"
    }
  }
}
