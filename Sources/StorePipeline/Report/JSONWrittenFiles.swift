internal import Formats

/// The files that a command has written, as JSON.
package struct JSONWrittenFiles {
  private let paths: [String]
  private let undecided: [(step: String, name: String)]?

  /// The files and, where a command leaves decisions to the user, what they are about.
  package init(_ paths: [String], undecided: [(step: String, name: String)]? = nil) {
    (self.paths, self.undecided) = (paths, undecided)
  }

  /// The document.
  package var text: String {
    var members: [JSONValue.Member] = [.init("format", 1), .init("written", .texts(paths))]
    if let undecided {
      let names = undecided.map { decision -> JSONValue in
        .object([.init("step", .string(decision.step)), .init("name", .string(decision.name))])
      }
      members.append(.init("undecided", .array(names)))
    }
    return JSONValue.object(members).text(.pretty)
  }
}
