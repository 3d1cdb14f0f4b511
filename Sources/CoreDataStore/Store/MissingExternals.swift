/// Values of one attribute that are in no file, though the store says so.
package struct MissingExternals: Sendable, Hashable {
  /// The attribute, as in "Note.photo"; table and column where no model has its name.
  package var attribute: String
  /// How many values there are.
  package var count = 0
  /// The names of their files; not all of them where the store was only looked at.
  package var files: [String] = []

  /// None yet, of an attribute.
  package init(_ attribute: String) { self.attribute = attribute }

  /// What is to be said of them.
  package var warning: String {
    count == 1
      ? "\(attribute): the file of 1 value is missing or is not a regular file"
      : "\(attribute): the files of \(count) values are missing or are not regular files"
  }
}
