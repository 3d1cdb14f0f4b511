/// A name or a pattern in a pipeline file.
package struct NamedInstruction: Sendable, Hashable {
  package var name: String
  /// Where the pipeline file says it; nil when it comes from elsewhere, a flag for instance.
  package var line: Int?

  package init(_ name: String, line: Int? = nil) {
    self.name = name
    self.line = line
  }

  /// Whether it names a property; a composite attribute stands for all its parts.
  package func covers(_ property: String) -> Bool {
    matches(property) || name.contains(".") && property.hasPrefix("\(name).")
  }

  /// Whether a name fits it: `*` stands for anything, nothing included.
  package func matches(_ name: String) -> Bool {
    let parts = self.name.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return self.name == name
    }
    guard name.count >= first.count + last.count, name.hasPrefix(first), name.hasSuffix(last)
    else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
