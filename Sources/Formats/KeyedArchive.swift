/// An archive of NSKeyedArchiver, read lazily: a model as compiled or cached, a transformable value.
///
/// The archive is a binary property list: `$objects` holds every object once, and objects refer to
/// each other by number (UID), so that the graph may be cyclic. All references are checked when the
/// archive is made; asking afterwards answers nil for what is missing or of another kind.
package final class KeyedArchive: Sendable {
  let list: BinaryPropertyList
  private let objects: [Int]
  private let tops: Int

  /// Checks the archive, and keeps it.
  package init(
    _ bytes: [UInt8], limits: FormatLimits = .propertyList
  ) throws(FormatError) {
    list = try BinaryPropertyList(bytes, limits: limits)
    guard let objects = list.value(of: "$objects", in: list.top),
      case .array(let numbers) = list.node(objects), !numbers.isEmpty
    else { throw FormatError(.keyedArchive, "has no list of objects") }
    guard let tops = list.value(of: "$top", in: list.top) else {
      throw FormatError(.keyedArchive, "does not name its first object")
    }
    (self.objects, self.tops) = (numbers, tops)
    try list.forEachUID { uid throws(FormatError) in
      guard uid < numbers.count else {
        throw FormatError(.keyedArchive, "refers to object \(uid) of \(numbers.count)")
      }
    }
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
    guard case .scalar(.uid(let uid)) = list.node(place), let number = Int(exactly: uid),
      number < objects.count
    else { return Object(archive: self, index: place) }
    return Object(archive: self, index: objects[number])
  }

  /// Whether a place of the list is the one that stands for nil: the first object.
  func isNil(_ place: Int) -> Bool { place == objects[0] }
}
