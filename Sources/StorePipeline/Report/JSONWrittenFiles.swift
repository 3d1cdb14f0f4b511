internal import Formats

/// The files that a command has written, as JSON.
public struct JSONWrittenFiles {
  private let paths: [String]

  /// Files by their paths.
  public init(_ paths: [String]) { self.paths = paths }

  /// The document.
  public var text: String {
    JSONValue.object([.init("format", 1), .init("written", .texts(paths))]).text(.pretty)
  }
}
