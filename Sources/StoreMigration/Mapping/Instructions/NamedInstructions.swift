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
}
