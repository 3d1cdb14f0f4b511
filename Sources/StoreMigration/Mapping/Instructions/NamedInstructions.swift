/// Names and patterns in the order of a pipeline file, which may have a line for each of a thousand
/// properties.
package struct NamedInstructions: Sendable {
  private let all: [NamedInstruction]
  private let places: [String: Int]
  private let patterns: [Int]

  package init(_ all: [NamedInstruction]) {
    self.all = all
    places = Dictionary(all.enumerated().map { ($1.name, $0) }) { first, _ in first }
    patterns = all.indices.filter { all[$0].name.contains("*") }
  }

  /// The first that one of these names fits.
  package func first(matching names: [String]) -> NamedInstruction? {
    let named = names.compactMap { places[$0] }.min()
    let pattern = patterns.first { names.contains(where: all[$0].matches) }
    return [named, pattern].compactMap(\.self).min().map { all[$0] }
  }

  /// Whether one of these properties is named, or a composite attribute that it is a part of.
  func cover(_ names: [String]) -> Bool {
    let composites = names.flatMap { name in
      name.indices.filter { name[$0] == "." }.dropFirst().map { String(name[..<$0]) }
    }
    return first(matching: names) != nil || composites.contains { places[$0] != nil }
  }
}
