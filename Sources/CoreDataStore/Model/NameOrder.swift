/// The order of names in version hashes, digests and lists: by UTF-16 code unit.
package enum NameOrder {
  /// Whether one name stands before the other.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf16.lexicographicallyPrecedes(second.utf16)
  }
}

extension Sequence where Element == String {
  /// The names in the order that Core Data hashes them.
  package func sortedByName() -> [String] { sorted(by: NameOrder.precedes) }
}

extension Sequence where Element: Property {
  /// The properties in the order that Core Data hashes them.
  package func sortedByName() -> [Element] {
    sorted { NameOrder.precedes($0.name, $1.name) }
  }
}

extension Array {
  /// The element of this name in a list that is sorted by name.
  package func sortedFind(_ name: String, by key: (Element) -> String) -> Element? {
    let place = sortedPlace(name, by: key)
    return place < endIndex && key(self[place]) == name ? self[place] : nil
  }

  /// Where the first element stands whose name does not come before this one.
  func sortedPlace(_ name: String, by key: (Element) -> String) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if NameOrder.precedes(key(self[middle]), name) {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}

extension Array where Element: Property {
  /// The property of this name in a list that is sorted by name.
  package func sortedFind(_ name: String) -> Element? { sortedFind(name, by: \.name) }
}
