/// A list of stores' paths, as other programs make it.
package enum StoreList {
  /// The paths in a text: one a line, or parted by NUL bytes as `find -print0` has it.
  ///
  /// Empty lines count for nothing; all else belongs to the path.
  package static func paths(in text: String) -> [String] {
    let isParted = text.unicodeScalars.contains("\0")
    return text.unicodeScalars.split { isParted ? $0 == "\0" : $0 == "\n" }.map { String($0) }
  }
}
