internal import Foundation

/// The forms in which a difference can be written to a file.
package enum DifferenceForm: String, OptionChoice {
  case html
  case markdown = "md"
  case json

  /// The form that a file's name ends in.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    self.init(rawValue: ["htm": "html", "markdown": "md"][ending] ?? ending)
  }

  /// Hands the file's bytes over, a piece at a time.
  ///
  /// - Throws: `Failure` when the report's objects cannot be read, and what `sink` throws.
  package func write(_ report: DifferenceReport, to sink: ([UInt8]) throws -> Void) throws {
    switch self {
    case .html: try HTMLDifferenceReport(report).write(to: sink)
    case .markdown: try sink(Array(MarkdownDifferenceReport(report).text.utf8))
    case .json:
      try JSONDifferenceReport(report, limit: .max).write(to: sink)
      try sink([UInt8(ascii: "\n")])
    }
  }

  /// Writes a report into a file that is there and empty.
  ///
  /// - Throws: `Failure` when the report's objects cannot be read, and what `FileHandle` throws.
  package func write(_ report: DifferenceReport, into path: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    var waiting = Data()
    try write(report) { bytes in
      waiting.append(contentsOf: bytes)
      guard waiting.count >= Self.piece else { return }
      try file.write(contentsOf: waiting)
      waiting.removeAll(keepingCapacity: true)
    }
    try file.write(contentsOf: waiting)
    try file.close()
  }

  private static let piece = 1 << 18
}
