/// A mistake in a file that the user wrote, and where it is.
public struct Problem: Error, Hashable, Sendable {
  /// The file, as it was named.
  public let file: String
  /// The line, counted from 1; 0 when no line is to blame.
  public let line: Int
  /// What is wrong and, where that is known, what would be right.
  public let message: String
  /// Whether the machine refused to read the file: no permission, or the disk failed.
  public let isRefusal: Bool

  /// A mistake at a place.
  public init(file: String, line: Int, message: String, isRefusal: Bool = false) {
    self.file = file
    self.line = line
    self.message = message
    self.isRefusal = isRefusal
  }
}

extension Problem: CustomStringConvertible {
  /// `FILE:LINE: message`.
  public var description: String {
    line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)"
  }
}

/// All the mistakes that were found in a pipeline file, in the order of their lines.
public struct PipelineFileError: Error, Equatable, Sendable {
  /// The mistakes, at least one.
  public let problems: [Problem]

  /// The mistakes, put in order; the same one is reported once.
  init(_ problems: [Problem]) {
    var seen: Set<Problem> = []
    self.problems = problems.filter { seen.insert($0).inserted }.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
  }
}

extension PipelineFileError: CustomStringConvertible {
  /// One mistake a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
