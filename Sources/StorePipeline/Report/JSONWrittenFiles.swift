internal import Formats

/// The files that a command has written, as JSON.
package struct JSONWrittenFiles {
  private let paths: [String]

  package init(_ paths: [String]) { self.paths = paths }

  /// The document.
  package var text: String {
    JSONValue.object([.init("format", 1), .init("written", .texts(paths))]).text(.pretty)
  }
}
