/// An archive of NSKeyedArchiver, read lazily: a compiled or cached model, a transformable value.
///
/// The archive is a binary property list: `$objects` holds every object once, and objects refer to
/// each other by number (UID), so that the graph may be cyclic. All references are checked when the
/// archive is made; asking afterwards answers nil for what is missing or of another kind.
package final class KeyedArchive: Sendable {
  let list: BinaryPropertyList
  /// The names of each class that objects have and of those above it, by the class's index.
  let classes: [Int: [String]]
  private let table: ObjectTable
  private let tops: Int

  /// Checks the archive, and keeps it.
  package init(
    _ bytes: [UInt8], limits: FormatLimits = .propertyList
  ) throws(FormatError) {
    list = try BinaryPropertyList(bytes, limits: limits)
    table = try ObjectTable(list)
    guard let tops = list.value(of: "$top", in: list.top) else {
      throw FormatError(.keyedArchive, "does not name its first object")
    }
    self.tops = tops
    classes = table.classes(in: list)
  }

  /// The object that was archived as the root.
  package var root: Object {
    get throws(FormatError) {
      guard let root = top("root") else { throw FormatError(.keyedArchive, "has no root") }
      return root
    }
  }

  /// The object that was archived under a name.
  package func top(_ name: String) -> Object? {
    list.value(of: name, in: tops).map(resolve)
  }

  /// The object at a place of the list, or the one it refers to.
  func resolve(_ place: Int) -> Object {
    Object(archive: self, index: table.resolve(place, in: list))
  }

  /// Whether a place of the list is the one that stands for nil: the first object.
  func isNil(_ place: Int) -> Bool { place == table.first }
}
