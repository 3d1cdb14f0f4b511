internal import CoreDataStore
internal import Formats
internal import StoreReplacement

/// The objects that a report shows one by one, in the order of the comparison.
///
/// They are not kept in memory, so that a report of a hundred thousand takes no more than one of a
/// few.
package struct ReportedObjects: Sendable {
  /// How many there are.
  package let count: Int

  private let list: DiskList
  /// The number of the group that each provisional one went into.
  private let groups: [Int]

  /// None.
  init() { self.init(DiskList(), count: 0, groups: []) }

  /// Those that were written to a list, each by ``add(_:to:)``.
  init(_ list: DiskList, count: Int, groups: [Int]) {
    (self.list, self.count, self.groups) = (list, count, groups)
  }

  /// Writes an object; its group may be provisional.
  static func add(_ object: ReportedObject, to list: DiskList) throws {
    var body = ByteWriter()
    body.add(object)
    var head = ByteWriter()
    head.add(UInt64(body.bytes.count))
    try list.append(head.bytes + body.bytes)
  }

  /// Hands over one after the other, until the body says false.
  ///
  /// - Throws: `Failure` when they cannot be read, and what the body throws.
  package func forEach(_ body: (ReportedObject) throws -> Bool) throws {
    var bytes: ArraySlice<UInt8> = []
    var place: Int64 = 0
    for _ in 0..<count {
      guard let object = try next(&bytes, &place), try body(object) else { return }
    }
  }

  /// The first so many.
  ///
  /// - Throws: `Failure` when they cannot be read.
  package func first(_ most: Int) throws -> [ReportedObject] {
    var objects: [ReportedObject] = []
    guard most > 0 else { return [] }
    try forEach { object in
      objects.append(object)
      return objects.count < most
    }
    return objects
  }

  /// The first few of each group.
  ///
  /// - Throws: `Failure` when they cannot be read.
  func first(_ most: Int, ofEach groups: Range<Int>) throws -> [Int: [ReportedObject]] {
    var first: [Int: [ReportedObject]] = [:]
    try forEach { object in
      if groups.contains(object.group), first[object.group, default: []].count < most {
        first[object.group, default: []].append(object)
      }
      return true
    }
    return first
  }

  private static let piece = 1 << 18

  private func next(
    _ bytes: inout ArraySlice<UInt8>, _ place: inout Int64
  ) throws -> ReportedObject? {
    while true {
      var reader = ByteReader(bytes)
      if let length = try? reader.unsigned(), let record = reader.bytes(length) {
        bytes = reader.rest
        var reader = ByteReader(record)
        var object = try reader.object()
        if groups.indices.contains(object.group) { object.group = groups[object.group] }
        return object
      }
      let more = try list.read(Self.piece, at: place)
      guard !more.isEmpty else { return nil }
      place += Int64(more.count)
      bytes = ArraySlice(Array(bytes) + more)
    }
  }
}
